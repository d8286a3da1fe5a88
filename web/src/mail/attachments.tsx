import { useSignal } from '@preact/signals'
import { claimedKind } from '../../../src/model/files/claimed-kind.ts'
import type { AttachmentReference } from '../../../src/model/history.ts'
import { urlOf } from '../page/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Icon } from '../controls/icon.tsx'
import { lazy } from '../controls/lazy.tsx'
import { byteSize } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import { texts as ownTexts } from './texts.ts'

/** The most bytes of a file that is shown. */
const largest = { image: 10_000_000, text: 5_000_000, pdf: 30_000_000 }
const inline = { query: { inline: '1' } } as const
const Preview = lazy(
  async () => (await import('./preview.tsx')).Preview,
  (isMissing) =>
    isMissing ? (
      <p role="alert">{texts.settings.missing}</p>
    ) : (
      <p role="status">{ownTexts.preview.loading}</p>
    ),
)

/** Every file can be downloaded; images, text and PDF can be looked at. */
export function Attachments({ files }: { files: readonly AttachmentReference[] }) {
  const large = useSignal<AttachmentReference | null>(null)
  return (
    <div class="files">
      {files.map((file) => (
        <File key={file.id} file={file} onLook={() => (large.value = file)} />
      ))}
      {large.value && (
        <Dialog title={large.value.filename} wide onClose={() => (large.value = null)}>
          <Large file={large.value} />
        </Dialog>
      )}
    </div>
  )
}

function Large({ file }: { file: AttachmentReference }) {
  const kind = kindOf(file)
  if (kind === 'image')
    return (
      <img
        class="large"
        src={urlOf(`/attachments/${file.id}`, inline)}
        alt={texts.message.preview(file.filename)}
      />
    )
  return (
    <>
      {kind && <Preview file={file} kind={kind} />}
      <footer>
        <a class="btn" href={urlOf(`/attachments/${file.id}`)} download={file.filename}>
          {ownTexts.preview.download}
        </a>
      </footer>
    </>
  )
}

function File({ file, onLook }: { file: AttachmentReference; onLook: () => void }) {
  const broken = useSignal(false)
  const size = byteSize(file.size)
  const kind = kindOf(file)
  return (
    <div class="file">
      {kind === 'image' && !broken.value && (
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
      {(kind === 'text' || kind === 'pdf') && (
        <button
          type="button"
          class="btn quiet"
          aria-label={ownTexts.preview.open(file.filename)}
          title={ownTexts.preview.open(file.filename)}
          onClick={onLook}
        >
          <Icon name="eye" />
        </button>
      )}
    </div>
  )
}

/** What a file can be shown as, according to the sender. A false image or PDF fails to load and is not shown. */
function kindOf({ contentType, filename, size }: AttachmentReference): keyof typeof largest | null {
  const kind = claimedKind(contentType, filename)
  return kind !== null && size <= largest[kind] ? kind : null
}
