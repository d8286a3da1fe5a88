import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** A PDF made of the given objects. The first is the catalogue. */
function writePdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    length += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const stream = (content: Buffer, extra = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${content.length} ${extra} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ])

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const page = (
  content: number,
  { resources = '', annotations = '', fonts = '', page = '' }: PageOptions = {},
): string =>
  `<< /Type /Page /Parent 2 0 R ${page.includes('/MediaBox') ? '' : '/MediaBox [0 0 600 800]'} ${page} /Contents ${content} 0 R /Annots [${annotations}] /Resources << /Font << /F1 3 0 R ${fonts} >> ${resources} >> >>`

interface PageOptions {
  resources?: string
  annotations?: string
  /** Beside `/F1`. */
  fonts?: string
  /** Entries of the page's dictionary. */
  page?: string
}

/** A PDF with one page per content stream, given in PDF operators. `objects` come after two objects per page, from 6. */
export function makePdf(
  contents: readonly string[],
  options: {
    catalog?: string
    trailer?: string
    objects?: string[]
  } & PageOptions = {},
): Buffer {
  const { catalog = '', trailer = '', objects = [] } = options
  const kids = contents.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')
  return writePdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
      font,
      ...contents.flatMap((content, index) => [page(5 + 2 * index, options), stream(Buffer.from(content))]),
      ...objects,
    ],
    trailer,
  )
}

/** A PDF of one page whose content stream inflates to that many bytes. */
export function makePdfBomb(bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, ' '))
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    font,
    page(5),
    stream(packed, '/Filter /FlateDecode'),
  ])
}

/** A PDF with many references to the same page object. */
export function makeLongPdf(pages: number, content: string): Buffer {
  const kids = Array.from({ length: pages }, () => '4 0 R').join(' ')
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    font,
    page(5),
    stream(Buffer.from(content)),
  ])
}

export function makeZip(files: Record<string, string | Buffer>, claimedSize: number | null = null): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(claimedSize ?? bytes.length, 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, place, Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, entries, Buffer.from('PK\x05\x06', 'latin1'), end])
}

const types =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const relations =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'

const wordSpace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const partType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A DOCX document with this body, and parts such as `styles` and `footnotes`, given as what their root contains. */
export function makeWord(
  body: string,
  {
    parts = {},
    claimedSize = null,
    doctype = '',
    attributes = '',
  }: {
    parts?: Record<string, string>
    claimedSize?: number | null
    doctype?: string
    attributes?: string
  } = {},
): Buffer {
  const open = `xmlns:w="${wordSpace}" ${attributes}`
  const names = Object.keys(parts)
  return makeZip(
    {
      '[Content_Types].xml': types,
      '_rels/.rels': relations,
      'word/document.xml': `<?xml version="1.0"?>${doctype}<w:document ${open}><w:body>${body}</w:body></w:document>`,
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((name, at) => `<Relationship Id="rId${at}" Type="${partType}/${name}" Target="${name}.xml"/>`).join('')}</Relationships>`,
      ...Object.fromEntries(
        names.map((name) => [`word/${name}.xml`, `<w:${name} ${open}>${parts[name]}</w:${name}>`]),
      ),
    },
    claimedSize,
  )
}

/** A DOCX document with these paragraphs, which may contain markup. */
export function makeDocx(
  paragraphs: readonly string[],
  claimedSize: number | null = null,
  doctype = '',
): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')
  return makeWord(body, { claimedSize, doctype })
}
