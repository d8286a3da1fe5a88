import { oneLine, type Hidden } from './header.ts'

const longestName = 200

const extensions: Record<string, string> = {
  'application/gzip': 'gz',
  'application/ics': 'ics',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/ms-tnef': 'dat',
  'application/pdf': 'pdf',
  'application/pgp-encrypted': 'pgp',
  'application/pgp-keys': 'asc',
  'application/pgp-signature': 'asc',
  'application/pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/x-pkcs7-mime': 'p7m',
  'application/x-pkcs7-signature': 'p7s',
  'application/rtf': 'rtf',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif',
  'image/webp': 'webp',
  'message/delivery-status': 'txt',
  'message/rfc822': 'eml',
  'message/global': 'eml',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/rfc822-headers': 'txt',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
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
  return `${stem}.${extensions[contentType] ?? 'bin'}`
}

/** A message inside a message is named after its subject. */
export function messageFileName(subject: string): string {
  const safe = subject.replace(/[/\\:*?"<>|]/g, ' ')
  return cleanFileName(`${oneLine(safe).slice(0, longestName - 4) || 'message'}.eml`, 'message/rfc822')
}
