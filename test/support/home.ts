import { resolve } from 'node:path'

/** The folder of the checkout. */
export const home = resolve(import.meta.dirname, '../..')
