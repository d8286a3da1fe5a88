import { useMemo } from 'preact/hooks'
import { findDifferences } from './differences.ts'

export function Differences({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => findDifferences(before, after), [before, after])
  return (
    <div class="mail-text differences">
      {pieces.map(({ text, kind }, index) => {
        const Changed = kind === 'added' ? 'ins' : 'del'
        return kind === 'same' ? text : <Changed key={index}>{text}</Changed>
      })}
    </div>
  )
}
