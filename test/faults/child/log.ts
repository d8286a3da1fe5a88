/** Writes events from several places at once: `log.ts COUNT`; every third transaction is rolled back. Says "wrote" at the end. */
import { readConfig } from '../../../src/config.ts'
import { openDatabase, transaction } from '../../../src/store/database.ts'
import { appendEvent } from '../../../src/store/log/events.ts'

const config = readConfig(process.env)
await using db = await openDatabase({ url: config.databaseUrl, folder: config.dataFolder, writer: 'thread' })
const write = async (writer: number): Promise<void> => {
  for (let n = 0; n < Number(process.argv[2]); n++)
    await transaction(db, async (db) => {
      for (let each = 0; each <= n % 3; each++)
        await appendEvent(db, {
          type: 'thread.created',
          inbox: null,
          timestamp: Date.now(),
          quiet: false,
          data: {
            threadId: `thr_${process.pid}_${writer}_${n}_${each}`,
            actor: { type: 'system', id: null, name: 'Spool' },
          },
        })
      if (n % 3 === 2) throw new Error('rolled back')
    }).catch((error: Error) => {
      if (error.message !== 'rolled back') throw error
    })
}
await Promise.all([1, 2, 3, 4].map(write))
process.stdout.write('wrote\n')
