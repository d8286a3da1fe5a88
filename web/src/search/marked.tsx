import { foundWords } from './found-words.ts'

/** Text with the words of the current search marked; with `hits`, the marks can be jumped to. */
export function Marked({ text, hits = false }: { text: string; hits?: boolean }) {
  const pieces = foundWords.value?.cut(text) ?? [{ text, found: false }]
  return (
    <>
      {pieces.map((piece, at) =>
        piece.found ? (
          <mark key={at} class={hits ? 'found hit' : 'found'}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  )
}
