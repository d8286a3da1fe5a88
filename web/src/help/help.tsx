import type { JSX } from 'preact'
import { Dialog } from '../controls/dialog.tsx'
import { helpOpen } from './open.ts'
import { placeKeys } from '../page/keys.ts'
import { texts } from '../page/texts.ts'

const { keys, groups } = texts.help
const rows: [group: string, rows: [string[], string][]][] = [
  [
    groups.move,
    [
      [['j'], keys.next],
      [['k'], keys.previous],
      [['o'], keys.open],
      [['Esc'], keys.back],
      [['x'], keys.select],
      [['/'], keys.search],
      [['?'], keys.help],
    ],
  ],
  [
    groups.act,
    [
      [['e'], keys.close],
      [['s'], keys.snooze],
      [['i'], keys.assign],
      [['m'], keys.assignMe],
      [['u'], keys.unread],
      [['#'], keys.spam],
    ],
  ],
  [
    groups.write,
    [
      [['r'], keys.reply],
      [['a'], keys.replyAll],
      [['f'], keys.forward],
      [['c'], keys.compose],
      [['d'], keys.draft],
      [['n'], keys.note],
      [['Ctrl', 'Enter'], keys.send],
      [['z'], keys.undo],
    ],
  ],
  [
    groups.go,
    Object.entries(placeKeys).map(([key, view]) => [
      ['g', key],
      texts.views[view as keyof typeof texts.views],
    ]),
  ],
]

export function Help(): JSX.Element | null {
  if (!helpOpen.value) return null
  return (
    <Dialog title={texts.help.title} wide onClose={() => (helpOpen.value = false)}>
      <KeySheet />
    </Dialog>
  )
}

/** All keyboard shortcuts. */
export function KeySheet(): JSX.Element {
  return (
    <div class="keys">
      {rows.map(([group, list]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {list.map(([pressed, what]) => (
              <div key={what}>
                <dt>
                  {pressed.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
