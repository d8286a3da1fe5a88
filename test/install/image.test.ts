import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { cloneSources, megabytes } from '../support/installed.ts'
import { freePort } from '../support/parts/daemon.ts'
import { Container, ImageBuilder } from '../support/parts/image.ts'
import { skipWithout } from '../support/parts/install.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('buildah') || skipWithout('mmdebstrap')

test(
  'the image is built, is small, and serves as a user without rights on a read-only root',
  { skip },
  async (t) => {
    const builder = new ImageBuilder()
    const bases = await builder.makeBases()
    await builder.buildSpool(cloneSources(), bases)
    const image = await builder.open()
    const size = megabytes(image.root)
    t.diagnostic(`the image: ${size.toFixed()} MB`)
    assert.ok(size <= 300, `${size} MB`)
    assert.deepEqual(Object.keys(image.config.Volumes), ['/data'])

    const port = String(await freePort())
    await using container = new Container(image, { SPOOL_PORT: port })
    const readyz = await until(
      '/readyz',
      async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
        return answer?.status === 200 && answer
      },
      120_000,
    ).catch((error: unknown) => assert.fail(`${error}\n${container.output}`))
    assert.equal(readyz.status, 200)
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)
    assert.ok(existsSync(join(container.data, 'spool.db')))

    const status = readFileSync(`/proc/${await container.pid()}/status`, 'utf8')
    assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m)
    assert.match(status, /^CapEff:\t0+$/m)
    assert.notEqual(await container.enter('touch', '/opt/spool/a'), 0, 'the root is read-only')
    const [, ...check] = image.config.Healthcheck.Test
    assert.equal(await container.enter('env', `SPOOL_PORT=${port}`, ...check), 0)
    assert.notEqual(await container.enter('env', 'SPOOL_PORT=1', ...check), 0)
    assert.equal(await container.stop(), 0, container.output)
  },
)
