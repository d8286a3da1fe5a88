import { computed } from '@preact/signals'
import { place } from '../page/router.ts'
import { FoundWords } from './words.ts'

/** The words that the current search looks for; null without a search. */
export const foundWords = computed<FoundWords | null>(() =>
  place.value.type === 'search' ? FoundWords.of(place.value.q) : null,
)
