import { Dialog } from '../controls/dialog.tsx'
import { actions, placeActions } from '../page/action-table.ts'
import { texts } from '../page/texts.ts'

const { groups } = texts.help
const rows = (Object.keys(groups) as (keyof typeof groups)[]).map((group) => ({
  title: groups[group],
  list: [...actions, ...placeActions].filter((action) => action.group === group),
}))

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.help.title} wide onClose={onClose}>
      <KeySheet />
    </Dialog>
  )
}

export function KeySheet() {
  return (
    <div class="keys">
      {rows.map(({ title, list }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {list.map(({ command, title, keys, other }) => (
              <div key={command}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                  {other.length > 0 && ` ${texts.help.or} `}
                  {other.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{title}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
