import { signal } from '@preact/signals'
import type { MailAddress } from '../../../src/model/thread.ts'

/** The person the user selected; null for the thread's own person. */
export const askedPerson = signal<MailAddress | null>(null)
