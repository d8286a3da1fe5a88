import { SpoolError } from '../../model/errors.ts'
import type { SignedIn } from '../access/sessions.ts'
import { isSame } from '../cursors.ts'
import type { Spool } from '../spool.ts'
import type { ThreadAction } from './actions.ts'

/** One thread as it was before the action. */
export interface Taken {
  id: string
  before: ThreadAction
  assignedAt: number | null
}

/**
 * What a person's action did, signed and given to the page, which can send it back to undo the action. Nothing is
 * stored, and only the server determines the previous state.
 */
export interface Receipt {
  user: string
  at: number
  action: ThreadAction
  taken: Taken[]
}

/** Longer than the 30 seconds of the page, which count from the end of the last step. */
const lifetime = 10 * 60_000

export function writeReceipt(spool: Spool, receipt: Receipt): string {
  const claim = Buffer.from(JSON.stringify(receipt)).toString('base64url')
  return `${claim}.${spool.keys.receipts.sign(claim)}`
}

export function readReceipt(spool: Spool, actor: SignedIn, text: string): Receipt {
  const [claim = '', signature = ''] = text.split('.')
  if (!isSame(signature, spool.keys.receipts.sign(claim))) throw tooLate()
  const receipt = JSON.parse(Buffer.from(claim, 'base64url').toString()) as Receipt
  if (receipt.user !== actor.id || receipt.at + lifetime <= spool.now()) throw tooLate()
  return receipt
}

function tooLate(): SpoolError {
  return new SpoolError('not_found', 'It is too late to undo this; change the threads again instead.')
}
