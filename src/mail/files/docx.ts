import mammoth from 'mammoth'
import type { FileText } from '../../model/files/file-text.ts'
import { readPlain } from '../normal-form.ts'
import { cut } from './cut.ts'

/** Maximum unpacked bytes, as the archive's directory states them; a file that lies there hits the memory limit. */
const mostUnpacked = 20_000_000

const mayHide = 'Text that is hidden in the document may be among it.'

export async function readDocx(bytes: Uint8Array): Promise<FileText> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const unpacked = sumUnpacked(buffer)
  if (unpacked === null) return unreadable('This file is damaged, so it cannot be read.')
  if (unpacked > mostUnpacked) return unreadable('This file takes too much work to read.')
  try {
    const { value } = await mammoth.extractRawText({ buffer })
    return cut(
      'docx',
      readPlain(value)
        .text.replaceAll(/\n{3,}/g, '\n\n')
        .trim(),
      mayHide,
    )
  } catch {
    return unreadable('This file is damaged, so it cannot be read.')
  }
}

function unreadable(note: string): FileText {
  return { kind: 'docx', text: null, note }
}

const directoryEntry = 0x02014b50

/** Null if the archive has no valid directory. */
function sumUnpacked(archive: Buffer): number | null {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || end + 22 > archive.length) return null
  let at = archive.readUInt32LE(end + 16)
  let sum = 0
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== directoryEntry) return null
    sum += archive.readUInt32LE(at + 24)
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return sum
}
