import { parentPort } from 'node:worker_threads'
import type { FileText } from '../../model/files/file-text.ts'
import { readFile } from './read-file.ts'

export interface FileRequest {
  bytes: Uint8Array
  contentType: string
}

/** `ready` once, when its code is loaded; then what it read. */
export type FileAnswer = 'ready' | FileText

// The libraries load before the file is touched: its limits are for the file alone.
await Promise.all([import('./pdf.ts'), import('./docx.ts')])

parentPort?.on('message', async ({ bytes, contentType }: FileRequest) => {
  parentPort?.postMessage(await readFile(bytes, contentType))
})

parentPort?.postMessage('ready' satisfies FileAnswer)
