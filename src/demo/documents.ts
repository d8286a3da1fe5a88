import type { DemoFile } from './thread.ts'

/** The documents of a small shop: invoices and delivery notes as PDF, lists and texts as plain files. */

/** One page of Helvetica; the first line is its heading. */
export function pdf(filename: string, text: string): DemoFile {
  return (fill) => ({
    filename,
    contentType: 'application/pdf',
    content: encodePdf(fill(text.trim()).split('\n')),
  })
}

export function file(filename: string, contentType: string, text: string): DemoFile {
  const lineEnd = contentType === 'application/ics' ? '\r\n' : '\n'
  return (fill) => ({
    filename,
    contentType: `${contentType}; charset=utf-8`,
    content: Buffer.from(`${fill(text.trim()).replaceAll('\n', lineEnd)}${lineEnd}`),
  })
}

export function encodePdf(lines: string[]): Buffer {
  const shown = lines.map((line, index) => {
    const size = index === 0 ? 18 : 11
    return `/F1 ${size} Tf (${line.replace(/[\\()]/g, '\\$&').replaceAll('€', '\x80')}) Tj 0 -${size + 7} Td`
  })
  const stream = `BT 64 770 Td ${shown.join('\n')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}
