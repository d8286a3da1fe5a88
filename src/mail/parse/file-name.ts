import { oneLine, type Hidden } from './header.ts'

const longestName = 200

/** Types whose second half is also the extension of their files. */
const alike = new Set(
  (
    'application/json application/pdf application/rtf application/xml application/zip audio/wav image/bmp image/gif ' +
    'image/png image/webp text/css text/csv text/html text/xml video/mp4'
  ).split(' '),
)

const extensions: Record<string, string> = {
  'application/gzip': 'gz',
  'application/ics': 'ics',
  'application/msword': 'doc',
  'application/ms-tnef': 'dat',
  'application/pgp-encrypted': 'pgp',
  'application/pgp-keys': 'asc',
  'application/pgp-signature': 'asc',
  'application/pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/x-pkcs7-mime': 'p7m',
  'application/x-pkcs7-signature': 'p7s',
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif',
  'message/delivery-status': 'txt',
  'message/rfc822': 'eml',
  'message/global': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/rfc822-headers': 'txt',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
}

/**
 * A name that is safe to save under, whatever the sender wrote: bidi marks can make `gpj.exe` look like `exe.jpg`, and
 * path separators could lead out of a folder.
 */
export function cleanFileName(written: string, contentType: string, hidden?: Hidden): string {
  const plain = oneLine(written.replace(/[\u0000-\u001f\u007f]/g, ''), hidden).toWellFormed()
  const base = plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('\\')) + 1).trim()
  const name = base.replace(/^\.+$/, '')
  return name === '' ? fallbackName(contentType) : shorten(name)
}

/** Cuts before the extension, so that the extension stays. */
function shorten(name: string): string {
  if (name.length <= longestName) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > name.length - 20 ? name.slice(dot) : ''
  const kept = name.slice(0, longestName - extension.length)
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + extension
}

function fallbackName(contentType: string): string {
  const [family = '', kind = ''] = contentType.split('/')
  const stem =
    contentType.startsWith('message/') && kind !== 'rfc822'
      ? kind
      : family === 'image'
        ? 'image'
        : 'attachment'
  return `${stem}.${alike.has(contentType) ? kind : (extensions[contentType] ?? 'bin')}`
}

/** A message inside a message is named after its subject. */
export function messageFileName(subject: string): string {
  const safe = subject.replace(/[/\\:*?"<>|]/g, ' ')
  return cleanFileName(`${oneLine(safe).slice(0, longestName - 4) || 'message'}.eml`, 'message/rfc822')
}
