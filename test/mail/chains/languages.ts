import { eastern } from './eastern.ts'
import type { Language } from './language.ts'
import { northern } from './northern.ts'
import { western } from './western.ts'

export const languages: Language[] = [...western, ...northern, ...eastern]
