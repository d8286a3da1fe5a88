import { noticeKinds, type NoticeKind } from '../../../../src/model/notices/words.ts'
import type { NoticeChoice } from '../../../../src/model/notices/notices.ts'
import { texts } from './texts.ts'

/** One row per kind, one column per channel. */
export function KindTable({
  choices,
  onChoice,
}: {
  choices: Readonly<Record<NoticeKind, NoticeChoice>>
  onChoice: (kind: NoticeKind, choice: NoticeChoice) => void
}) {
  return (
    <div class="notice-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.kind}</th>
            <th scope="col">{texts.ways.page}</th>
            <th scope="col">{texts.ways.push}</th>
            <th scope="col">{texts.ways.mail}</th>
          </tr>
        </thead>
        <tbody>
          {noticeKinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{texts.kinds[kind]}</th>
              {(['page', 'push'] as const).map((way) => (
                <td key={way}>
                  <input
                    type="checkbox"
                    aria-label={texts.byWay(texts.ways[way], texts.kinds[kind])}
                    checked={choices[kind][way]}
                    onChange={(event) =>
                      onChoice(kind, { ...choices[kind], [way]: event.currentTarget.checked })
                    }
                  />
                </td>
              ))}
              <td>
                <select
                  class="field-input"
                  aria-label={texts.byWay(texts.ways.mail, texts.kinds[kind])}
                  value={choices[kind].mail}
                  onChange={(event) =>
                    onChoice(kind, {
                      ...choices[kind],
                      mail: event.currentTarget.value as NoticeChoice['mail'],
                    })
                  }
                >
                  {(['off', 'now', 'digest'] as const).map((mail) => (
                    <option key={mail} value={mail}>
                      {texts.mail[mail]}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
