import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { requirePart } from './install.ts'
import { scratchFolder } from './scratch.ts'

const run = promisify(execFile)

export interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  Volumes: Record<string, object>
  Healthcheck: { Test: string[] }
}

/** Buildah with its own store. It needs neither a daemon nor a registry. */
export class ImageBuilder {
  readonly #folder: string

  constructor(folder = scratchFolder('images')) {
    this.#folder = folder
  }

  async #buildah(...args: string[]): Promise<string> {
    const places = ['--root', join(this.#folder, 'root'), '--runroot', join(this.#folder, 'run')]
    const store = [...places, '--storage-driver', 'vfs']
    return (await run(requirePart('buildah'), [...store, ...args], { maxBuffer: 1e8 })).stdout.trim()
  }

  async #build(name: string, folder: string, file: string, ...more: string[]): Promise<void> {
    const how = ['--isolation', 'chroot', '--format', 'docker', '--tag', name, '--file', file]
    await this.#buildah('bud', ...how, ...more, folder)
  }

  /** Stand-ins for `debian:slim` and `node:24-slim`: plain Debian, and Debian with Node 24 and npm. */
  async makeBases(): Promise<{ base: string; build: string }> {
    const folder = join(this.#folder, 'bases')
    mkdirSync(folder)
    const slim = ['doc', 'man', 'locale', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
    // Like debian:slim. Without the hook, a package that merges /usr in old systems would pull in Perl.
    const purge = `chroot "$1" apt-get -qq -y purge usrmerge perl '^perl-modules-.*' '^libperl5.*'`
    const variant = ['--variant=minbase', '--include=usr-is-merged', `--customize-hook=${purge}`]
    await run(requirePart('mmdebstrap'), [...variant, ...slim, 'bookworm', join(folder, 'debian.tar')])
    writeFileSync(join(folder, 'base'), 'FROM scratch\nADD debian.tar /\n')
    await this.#build('base', folder, join(folder, 'base'))
    cpSync(realpathSync(process.execPath), join(folder, 'node'))
    const npm = realpathSync((await run('sh', ['-c', 'command -v npm'])).stdout.trim())
    cpSync(join(npm, '../..'), join(folder, 'npm'), { recursive: true })
    const certificates = process.env['NODE_EXTRA_CA_CERTS']
    if (certificates) cpSync(certificates, join(folder, 'certificates'))
    writeFileSync(
      join(folder, 'build'),
      `FROM localhost/base
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
${certificates ? 'COPY certificates /etc/certificates\nENV NODE_EXTRA_CA_CERTS=/etc/certificates\n' : ''}`,
    )
    await this.#build('build', folder, join(folder, 'build'))
    return { base: 'localhost/base', build: 'localhost/build' }
  }

  async buildSpool(sources: string, { base, build }: { base: string; build: string }): Promise<void> {
    const bases = ['--build-arg', `BASE=${base}`, '--build-arg', `BUILD=${build}`]
    await this.#build('spool', sources, join(sources, 'deploy/Containerfile'), ...bases)
  }

  async open(): Promise<{ config: ImageConfig; root: string }> {
    const container = await this.#buildah('from', 'localhost/spool')
    const root = await this.#buildah('mount', container)
    const inspected = JSON.parse(await this.#buildah('inspect', '--type', 'image', 'localhost/spool')) as {
      Docker: { config: ImageConfig }
    }
    return { config: inspected.Docker.config, root }
  }
}

/** Runs an image as a container engine does: read-only root, one volume, the image's user and command. */
export class Container implements AsyncDisposable {
  readonly #config: ImageConfig
  readonly #child: ReturnType<typeof spawn>
  readonly data: string
  output = ''

  constructor({ root, config }: { root: string; config: ImageConfig }, env: Record<string, string>) {
    this.#config = config
    this.data = join(scratchFolder('volume'), 'data')
    mkdirSync(this.data)
    const [uid, gid] = config.User.split(':').map(Number)
    chownSync(this.data, uid!, gid!)
    chmodSync(dirname(this.data), 0o755)
    const script = `set -e
      mount --make-rprivate / && mount --bind "$root" "$root" && mount -o remount,ro,bind "$root"
      mount --bind "$data" "$root/data" && mount -t tmpfs tmpfs "$root/tmp"
      mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev"
      exec chroot --userspec="$user" "$root" "$@"`
    const variables = [...config.Env, ...Object.entries(env).map((pair) => pair.join('='))]
    const command = ['env', '-i', ...variables, ...config.Entrypoint, ...config.Cmd]
    this.#child = spawn(
      'unshare',
      ['--mount', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...command],
      {
        env: { PATH: process.env['PATH'], root, data: this.data, user: config.User },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text))
  }

  /** The PID of the image's command. */
  async pid(): Promise<number> {
    return Number((await run('pgrep', ['-P', String(this.#child.pid)])).stdout)
  }

  async enter(...command: string[]): Promise<number> {
    const inside = ['--mount', '--root', '--wd', '--target', String(await this.pid())]
    const [uid, gid] = this.#config.User.split(':')
    return run('nsenter', [...inside, `--setuid=${uid}`, `--setgid=${gid}`, ...command], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    }).then(
      () => 0,
      (error: { code: number }) => error.code,
    )
  }

  /** Stops the container as an engine does, and returns the exit status. */
  async stop(): Promise<number | null> {
    const ended = once(this.#child, 'exit')
    process.kill(await this.pid(), 'SIGTERM')
    return (await ended)[0] as number | null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL')
  }
}
