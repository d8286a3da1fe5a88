import { texts } from '../page/texts.ts'

/** Why something could not be loaded, and a button to try again. */
export function Failed({
  problem,
  onAgain,
  again = texts.list.again,
}: {
  problem: string
  onAgain: () => void
  again?: string
}) {
  return (
    <div class="empty" role="alert">
      <p>{problem}</p>
      <button type="button" class="btn" onClick={onAgain}>
        {again}
      </button>
    </div>
  )
}
