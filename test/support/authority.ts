import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { scratchFolder } from './parts/scratch.ts'

export interface KeyPair {
  key: string
  cert: string
}

/** A certificate authority for tests. Nothing trusts it until `trust` is called. */
export class Authority {
  readonly #folder = scratchFolder('authority')

  constructor() {
    this.#make('root', '/CN=Test authority', 'basicConstraints=critical,CA:TRUE', [])
  }

  /** Issues a certificate for names such as `IP:127.0.0.1` and `DNS:agent.example`. */
  issue(...names: string[]): KeyPair {
    const [root, rootKey] = [join(this.#folder, 'root.pem'), join(this.#folder, 'root.key')]
    const signed = ['-CA', root, '-CAkey', rootKey]
    return this.#make('leaf', '/CN=Test server', `subjectAltName=${names.join(',')}`, signed)
  }

  /** Makes this process trust the authority until the end of the scope. */
  trust(): Disposable {
    const usual = getCACertificates('default')
    setDefaultCACertificates([...usual, readFileSync(join(this.#folder, 'root.pem'), 'utf8')])
    return { [Symbol.dispose]: () => setDefaultCACertificates(usual) }
  }

  #make(name: string, subject: string, extension: string, signed: string[]): KeyPair {
    const [cert, key] = [join(this.#folder, `${name}.pem`), join(this.#folder, `${name}.key`)]
    const kind = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ')
    const words = [...kind, '-subj', subject, '-addext', extension, ...signed, '-keyout', key, '-out', cert]
    execFileSync('openssl', words, { stdio: 'pipe' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  }
}
