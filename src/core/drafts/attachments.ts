import { requirePerson } from '../access/access.ts'
import { hash } from 'node:crypto'
import type { Actor } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Draft } from '../../model/draft.ts'
import { newId } from '../../model/ids.ts'
import { snapshot, transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { findDraftFile, insertDraftFile } from '../../store/drafts/files.ts'
import { loadRevision } from '../../store/drafts/drafts.ts'
import { findDraft, requireRevision } from './access.ts'
import { addRevision } from './revisions.ts'
import { requireStatus } from './state.ts'
import { controls } from './mail-fields.ts'
import { readContent, type DraftFile } from './view.ts'
import type { Spool } from '../spool.ts'

interface NewFile {
  filename: string
  contentType: string
  content: Uint8Array
}

const mostFiles = 50
/** Size on the wire relative to the file, with base64 and line breaks. */
const wireFactor = 1.37

/** Attaching creates a revision, like every edit. */
export async function attachFile(
  spool: Spool,
  actor: Actor,
  { draftId, revision, ...file }: { draftId: string; revision: number } & NewFile,
): Promise<Draft> {
  const filename = checkFilename(file.filename)
  return editFiles(spool, actor, { draftId, revision }, async (db, files) => {
    const size = file.content.byteLength
    const total = files.reduce((sum, each) => sum + each.size, size)
    if (total * wireFactor > spool.maxMessageBytes)
      throw new SpoolError(
        'too_large',
        `A mail can have at most ${Math.floor(spool.maxMessageBytes / wireFactor / 1e6)} MB of attachments.`,
      )
    if (files.length >= mostFiles)
      throw new SpoolError('conflict', `A mail can have at most ${mostFiles} attachments.`)
    const digest = hash('sha256', file.content, 'buffer')
    const id = newId('att', spool.now())
    const contentType = checkContentType(file.contentType)
    await insertDraftFile(
      db,
      { id, draft: draftId, filename, content_type: contentType, size, hash: digest },
      file.content,
    )
    return [...files, { id, filename, contentType, size, hash: digest.toString('hex') }]
  })
}

export async function detachFile(
  spool: Spool,
  actor: Actor,
  { draftId, revision, attachmentId }: { draftId: string; revision: number; attachmentId: string },
): Promise<Draft> {
  return editFiles(spool, actor, { draftId, revision }, async (_, files) => {
    const rest = files.filter(({ id }) => id !== attachmentId)
    if (rest.length === files.length) throw noSuchFile()
    return rest
  })
}

async function editFiles(
  spool: Spool,
  actor: Actor,
  { draftId, revision }: { draftId: string; revision: number },
  edit: (db: Tx, files: readonly DraftFile[]) => Promise<DraftFile[]>,
): Promise<Draft> {
  const person = requirePerson(actor)
  return transaction(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    requireStatus(draft, ['proposed', 'editing', 'stale', 'failed'], 'It cannot be edited now.')
    await requireRevision(db, draft, revision)
    const content = readContent(await loadRevision(db, draft.id, draft.revision))
    const attachments = await edit(db, content.attachments)
    const { answers, newest_message, status } = draft
    return addRevision(db, person, draft, { ...content, attachments }, spool.now(), {
      answers,
      newest_message,
      // Attaching a file does not mean that the new mail was read.
      ...(status === 'stale' ? { status: 'stale' } : {}),
    })
  })
}

/** The file contents, to compose the mail. */
export async function readDraftFiles(
  spool: Spool,
  draftId: string,
  files: readonly { id: string }[],
): Promise<Uint8Array[]> {
  return snapshot(spool.db, async (db) => {
    const contents: Uint8Array[] = []
    for (const { id } of files) {
      const file = await findDraftFile(db, draftId, id)
      if (!file) throw new Error(`The attachment ${id} of draft ${draftId} is missing.`)
      contents.push(file.content)
    }
    return contents
  })
}

export async function getDraftFile(
  spool: Spool,
  actor: Actor,
  draftId: string,
  attachmentId: string,
): Promise<NewFile> {
  return snapshot(spool.db, async (db) => {
    const draft = await findDraft(db, actor, draftId)
    const file = await findDraftFile(db, draft.id, attachmentId)
    if (!file) throw noSuchFile()
    return { filename: file.filename, contentType: file.content_type, content: file.content }
  })
}

function noSuchFile(): SpoolError {
  return new SpoolError('not_found', 'This attachment is not part of the draft. Check the id.')
}

/** A name, not a path, without characters that could break its header. */
function checkFilename(name: string): string {
  const bare = name.trim()
  if (bare === '' || bare.length > 200 || controls.test(bare) || !bare.isWellFormed())
    throw new SpoolError('bad_parameter', 'A file name must be one line of 1 to 200 characters.')
  return bare.replace(/[/\\]/g, '_').replace(/^\.+/, '_')
}

function checkContentType(type: string): string {
  return /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,100}$/i.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream'
}
