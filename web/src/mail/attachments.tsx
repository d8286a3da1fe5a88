import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { AttachmentReference } from '../../../src/model/history.ts'
import { urlOf } from '../page/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Icon } from '../controls/icon.tsx'
import { byteSize } from '../page/times.ts'
import { texts } from '../page/texts.ts'

const raster = /^image\/(png|jpeg|gif|webp)$/i
const largestPreview = 10_000_000
const inline = { query: { inline: '1' } } as const

/** Images are previewed; everything else is download only. */
export function Attachments({ files }: { files: readonly AttachmentReference[] }): JSX.Element | null {
  const large = useSignal<AttachmentReference | null>(null)
  if (files.length === 0) return null
  return (
    <div class="files">
      {files.map((file) => (
        <File key={file.id} file={file} onLook={() => (large.value = file)} />
      ))}
      {large.value && (
        <Dialog title={large.value.filename} wide onClose={() => (large.value = null)}>
          <img
            class="large"
            src={urlOf(`/attachments/${large.value.id}`, inline)}
            alt={texts.message.preview(large.value.filename)}
          />
        </Dialog>
      )}
    </div>
  )
}

function File({ file, onLook }: { file: AttachmentReference; onLook: () => void }): JSX.Element {
  const broken = useSignal(false)
  const size = byteSize(file.size)
  const picture = raster.test(file.contentType) && file.size <= largestPreview && !broken.value
  return (
    <div class="file">
      {picture && (
        <button
          type="button"
          class="thumb"
          aria-label={texts.message.preview(file.filename)}
          onClick={onLook}
        >
          <img
            src={urlOf(`/attachments/${file.id}`, inline)}
            alt=""
            loading="lazy"
            onError={() => (broken.value = true)}
          />
        </button>
      )}
      <a
        href={urlOf(`/attachments/${file.id}`)}
        download={file.filename}
        title={texts.message.download(file.filename, size)}
      >
        <Icon name="file" />
        <span>{file.filename}</span>
        <small>{size}</small>
      </a>
    </div>
  )
}
