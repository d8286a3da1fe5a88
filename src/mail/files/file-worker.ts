import { parentPort } from 'node:worker_threads'
import type { FileText } from '../../model/files/file-text.ts'
import { readFile } from './read-file.ts'

export interface FileRequest {
  bytes: Uint8Array
  contentType: string
  filename: string
}

/** `ready` once, when the code is loaded; then the text of each file. */
export type FileAnswer = 'ready' | FileText

// Load the libraries before any file is read, so that the limits count only the work on the file.
await Promise.all([import('./pdf.ts'), import('./docx.ts')])

parentPort?.on('message', async ({ bytes, contentType, filename }: FileRequest) => {
  parentPort?.postMessage(await readFile(bytes, contentType, filename))
})

parentPort?.postMessage('ready' satisfies FileAnswer)
