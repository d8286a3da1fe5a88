import type { Draft } from '../../../src/model/draft.ts'
import { isUnderlined, lit } from '../mail/citations.ts'
import { draftTexts } from './texts.ts'

/** Citations, and claims found nowhere in the thread. */
export function Findings({ draft: { citations, unsupported } }: { draft: Draft }) {
  const [shown, unshown] = [citations.filter(isUnderlined), citations.filter((each) => !isUnderlined(each))]
  const missing = [...new Set(unsupported.map(({ text }) => text))]
  return (
    <div class="why">
      {shown.length > 0 && (
        <div>
          <b>{draftTexts.quotedFrom}</b>{' '}
          {shown.map((citation, index) => (
            <button
              key={index}
              type="button"
              class={lit.value === citation ? 'quote-link lit' : 'quote-link'}
              onPointerEnter={() => (lit.value = citation)}
              onPointerLeave={() => (lit.value = null)}
              onFocus={() => (lit.value = citation)}
              onBlur={() => (lit.value = null)}
              onClick={() => (lit.value = citation)}
            >
              “{citation.quote}”
            </button>
          ))}
        </div>
      )}
      {unshown.length > 0 && (
        <div class="warn-text">
          <b>{draftTexts.notShown}</b> {unshown.map(({ quote }) => `“${quote}”`).join(', ')}
        </div>
      )}
      {missing.length > 0 && (
        <div class="warn-text">
          <b>{draftTexts.nowhere}</b> {missing.join(', ')}
        </div>
      )}
    </div>
  )
}
