import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findUnknownVariables, readConfig } from '../../src/config.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { home } from '../support/home.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const read = (path: string): string => readFileSync(join(home, path), 'utf8')
const files = globSync('deploy/*', { cwd: home, exclude: ['deploy/*.{js,ts}', 'deploy/tsconfig.json'] })

let spool: TestSpool
before(async () => (spool = await startSpool('sqlite')))
after(() => spool[Symbol.asyncDispose]())

test('every setting in the files of deploy exists, and the example of spool.env is accepted', () => {
  const named = files.flatMap((path) => read(path).match(/\bSPOOL_[A-Z_]+\b/g) ?? [])
  assert.ok(new Set(named).size >= 7)
  const set = Object.fromEntries(named.map((name) => [name, '1']))
  assert.deepEqual(findUnknownVariables(set), [])
  const lines = read('deploy/spool.env').matchAll(/^(SPOOL_\w+)=(.*)$/gm)
  const { url, trustProxy, dataFolder } = readConfig(
    Object.fromEntries([...lines].map(([, name, value]) => [name!, value])),
  )
  assert.deepEqual([url, dataFolder], ['https://spool.example.com', '/var/lib/spool'])
  // The proxies of the examples are on the same machine, and say so in their own comments.
  for (const file of ['deploy/nginx.conf', 'deploy/Caddyfile'])
    assert.ok(read(file).includes(`SPOOL_TRUST_PROXY=${(trustProxy as string[]).join(',')}`), file)
})

test('the dashboard asks for metrics that Spool has, each as its kind is asked for', async () => {
  await spool.get('/api/v1/threads')
  const { text } = await spool.get('/metrics', { token: null })
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
  const dashboard = JSON.parse(read('deploy/grafana.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const asked = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  assert.ok(asked.length >= 15)
  for (const expr of asked)
    for (const [name] of expr.matchAll(/\bspool_\w+/g)) {
      const metric = types.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, '')
      assert.ok(types.has(metric), `${name} in ${expr}`)
      assert.equal(types.get(metric) === 'histogram', metric !== name, `${name} is a ${types.get(metric)}`)
      if (types.get(metric) !== 'gauge') assert.match(expr, /rate\(/, expr)
    }
})

test('the image and the units run what the package has, without rights', () => {
  const image = read('deploy/Containerfile')
  assert.match(image, /^USER 10001:10001$/m)
  assert.match(image, /^VOLUME \/data$/m)
  assert.match(image, /^HEALTHCHECK /m)
  assert.match(image, /^ENTRYPOINT \["spool"\]\nCMD \["serve"\]$/m)
  for (const file of ['deploy/compose.yaml', 'deploy/compose.postgres.yaml']) {
    const text = read(file)
    for (const line of ['read_only: true', 'cap_drop: [ALL]', "security_opt: ['no-new-privileges:true']"])
      assert.ok(text.includes(line), `${file}: ${line}`)
    // Longer than the ten seconds Spool takes at most.
    assert.match(text, /stop_grace_period: 15s/)
  }
  const unit = read('deploy/spool.service')
  assert.match(unit, /^ExecStart=spool serve$/m)
  for (const line of ['User=spool', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
    assert.ok(unit.includes(`\n${line}\n`), line)
  assert.match(read('deploy/spool-backup.service'), /spool backup/)
  // It hides the boot id: two machines of one name would then take each other's leases.
  assert.doesNotMatch(unit, /^ProcSubset=/m)
})

test('old backups are deleted, and what a backup that was cut off has left behind', () => {
  const folder = scratchFolder('backups')
  const long = new Date(Date.now() - 20 * 86_400_000)
  const names = {
    old: 'a.backup',
    cut: 'b.backup.0a1b.partial',
    fresh: 'c.backup',
    now: 'd.backup.2c3d.partial',
  }
  for (const name of [names.old, names.fresh]) writeFileSync(join(folder, name), '')
  for (const name of [names.cut, names.now]) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'spool.db'), '')
  }
  for (const name of [names.old, names.cut]) utimesSync(join(folder, name), long, long)
  const unit = read('deploy/spool-backup.service')
  // What runs after a backup that fails for want of room does not run at all.
  assert.match(
    unit,
    /^ExecStart=find .*\.partial[^]*^ExecStart=.*spool backup[^]*^ExecStart=find .*\.backup"/m,
  )
  const lines = unit.matchAll(/^ExecStart=(find .*)$/gm)
  for (const [, line] of lines)
    execFileSync('sh', ['-c', line!.replace('/var/backups/spool', folder).replace('{}', "'{}'")])
  assert.deepEqual(readdirSync(folder).toSorted(), [names.fresh, names.now])
})

test('what deploy/.env holds stays out of the repository, the image and the package', () => {
  assert.ok(read('deploy/compose.postgres.yaml').includes('deploy/.env'))
  assert.ok(read('.gitignore').split('\n').includes('.env'))
  assert.ok(read('.dockerignore').split('\n').includes('**/.env'))
  const { files: packed } = JSON.parse(read('package.json')) as { files: string[] }
  assert.ok(packed.includes('!deploy/.env'))
})

test('the commands of docs/operations.md work one after the other', () => {
  const guide = read('docs/operations.md')
  // Compose wants the variables of its file for every command, logs and exec too.
  assert.match(guide, /> deploy\/\.env\b/)
  for (const path of ['README.md', 'docs/operations.md', 'deploy/compose.yaml'])
    assert.doesNotMatch(read(path), /DOMAIN=\S+ docker compose/, path)
  // The package of the version before is still there.
  assert.doesNotMatch(guide.slice(guide.indexOf('## Upgrade')), /\*\.tgz/)
})

test('the proxies pass streams on, keep metrics private, and tell Spool who asks', () => {
  const nginx = read('deploy/nginx.conf')
  for (const line of [
    'proxy_http_version 1.1;',
    'X-Forwarded-For',
    'proxy_read_timeout 1h;',
    'location = /metrics',
  ])
    assert.ok(nginx.includes(line), line)
  const caddy = read('deploy/Caddyfile')
  for (const line of ['flush_interval -1', 'respond /metrics 404', '{$UPSTREAM:127.0.0.1:4100}'])
    assert.ok(caddy.includes(line), line)
})

test('docs/operations.md explains every file of deploy', () => {
  const guide = read('docs/operations.md')
  for (const path of files) assert.ok(guide.includes(path), path)
})
