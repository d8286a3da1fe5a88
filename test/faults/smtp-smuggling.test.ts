import { mustHold as assert } from '../support/must-hold.ts'
import { test } from 'node:test'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { storedSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

/** What some server takes for the end of a message, or leaves as part of it. */
const endings: Record<string, string> = {
  'LF . LF': '\n.\n',
  'LF . CR LF': '\n.\r\n',
  'CR LF . LF': '\r\n.\n',
  'CR . CR': '\r.\r',
  'CR LF . CR': '\r\n.\r',
  'CR . CR LF': '\r.\r\n',
  'CR . LF': '\r.\n',
  'LF . CR': '\n.\r',
  'LF CR . CR LF': '\n\r.\r\n',
  'CR CR LF . CR LF': '\r\r\n.\r\n',
  'CR LF . CR CR LF': '\r\n.\r\r\n',
  'CR LF NUL . CR LF': '\r\n\0.\r\n',
  'CR LF . NUL CR LF': '\r\n.\0\r\n',
  'LF LF . LF LF': '\n\n.\n\n',
  'CR LF . blank CR LF': '\r\n. \r\n',
  'CR LF .. CR LF': '\r\n..\r\n',
}

const head = (subject: string): string =>
  `From: a@b.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(/\W/g, '')}${Math.random()}@b.example>\r\n\r\n`

for (const database of databases) {
  const started = shareSpool(database, {
    SPOOL_SMTP_LISTEN: '127.0.0.1:0',
    SPOOL_NAME_SERVERS: '127.0.0.1:9',
  })

  test(`${database}: ${Object.keys(endings).length} ways to smuggle a second message: one comes in, or none`, async (t) => {
    const spool = await started()
    const port = Number(spool.app.smtp!.split(':').at(-1))
    const seen: string[] = []
    const smuggle = async (name: string, ending: string): Promise<void> => {
      const [desk, victim] = [await openDesk(spool), await openDesk(spool)]
      using client = await SmtpClient.connect(port)
      await client.hello()
      await client.say('MAIL FROM:<a@b.example>')
      await client.say(`RCPT TO:<${desk.inbox.address}>`)
      await client.say('DATA')
      const smuggled = `MAIL FROM:<admin@shop.example>\r\nRCPT TO:<${victim.inbox.address}>\r\nDATA\r\n${head('smuggled')}boo\r\n.\r\n`
      client.write(`${head('outer')}text${ending}${smuggled}`)
      const answer = await client.reply()
      if (ending.endsWith('\r\n.\r\n')) {
        // A true end behind a bare one: what follows are commands, and the first of them is the last.
        assert.match(await client.reply(), /^421 4\.7\.0 /, `${name}: nothing more is taken`)
        assert.equal(await client.reply(), '', `${name}: hung up`)
      } else {
        // The end of the smuggled message is the end of the outer one: there is nothing more to be answered.
        assert.match(await client.say('NOOP'), /^250 OK/, `${name}: one message, one answer`)
      }
      const stored = await storedSources(spool.spool, desk.inbox.number)
      assert.equal(stored.length, answer.startsWith('250') ? 1 : 0, `${name}: ${answer}`)
      assert.match(answer, /^(250|550)/, name)
      assert.equal((await victim.threads()).length, 0, `${name}: nothing for the victim`)
      if (/[^\r]\n|\r[^\n]/.test(`text${ending}x`)) assert.match(answer, /^550 5\.6\.0 /, name)
      seen.push(`${name} ${answer.slice(0, 3)}`)
    }
    await Promise.all(Object.entries(endings).map(([name, ending]) => smuggle(name, ending)))
    t.diagnostic(seen.join(', '))
    assert.match(
      (await spool.get('/metrics')).text,
      /spool_mail_refused_total\{reason="bare_line_end"\} [1-9]/,
    )
  })

  test(`${database}: the same in pieces: an end that comes byte by byte is an end, and a dot that was doubled is none`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await SmtpClient.connect(Number(spool.app.smtp!.split(':').at(-1)))
    await client.hello()
    await client.say('MAIL FROM:<a@b.example>')
    await client.say(`RCPT TO:<${desk.inbox.address}>`)
    await client.say('DATA')
    for (const byte of `..\r\n${head('bytes')}..\r\nMAIL FROM:<x@y.example>\r\n..\r\n.\r\n`) {
      client.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.match(await client.reply(), /^250/)
    assert.match(await client.say('NOOP'), /^250/)
    assert.equal((await storedSources(spool.spool, desk.inbox.number)).length, 1)
  })

  test(`${database}: everything said at once: commands, messages and what follows them are each answered once`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    const port = Number(spool.app.smtp!.split(':').at(-1))
    using client = await SmtpClient.connect(port)
    await client.hello()
    const one = (subject: string): string =>
      `MAIL FROM:<a@b.example>\r\nRCPT TO:<${desk.inbox.address}>\r\nDATA\r\n${head(subject)}text\r\n.\r\n`
    client.write(`${one('first')}${one('second')}RSET\r\n${one('third')}QUIT\r\n${one('after the end')}`)
    const replies: string[] = []
    for (let reply = await client.reply(); reply !== ''; reply = await client.reply())
      replies.push(reply.slice(0, 3))
    assert.deepEqual(replies, [
      '250',
      '250',
      '354',
      '250',
      '250',
      '250',
      '354',
      '250',
      '250',
      '250',
      '250',
      '354',
      '250',
      '221',
    ])
    assert.equal((await storedSources(spool.spool, desk.inbox.number)).length, 3)

    using early = await SmtpClient.connect(port)
    early.write(`EHLO x.example\r\n${one('too soon')}`)
    assert.match(await early.reply(), /^421/)

    using refused = await SmtpClient.connect(port)
    await refused.hello()
    // DATA was refused, so what looks like a message is commands, and nonsense.
    refused.write(
      `MAIL FROM:<a@b.example>\r\nRCPT TO:<no@b.example>\r\nDATA\r\n${head('unwanted')}text\r\n.\r\n`,
    )
    for (const code of ['250', '550', '503', '500']) assert.equal((await refused.reply()).slice(0, 3), code)

    using broken = await SmtpClient.connect(port)
    await broken.hello()
    await broken.say('MAIL FROM:<a@b.example>')
    await broken.say(`RCPT TO:<${desk.inbox.address}>`)
    await broken.say('DATA')
    broken.write(`${head('without an end')}text\r\n`)
    broken[Symbol.dispose]()
    await until('the client is gone', async () => broken.isClosed)
    assert.match(await refused.say('RSET'), /^\d/)
    assert.equal(
      (await storedSources(spool.spool, desk.inbox.number)).length,
      3,
      'a message without an end is none',
    )
  })
}
