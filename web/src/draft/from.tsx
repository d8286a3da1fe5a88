import { addressesOf } from '../../../src/model/mail/own-address.ts'
import { session } from '../session/session.ts'
import { texts } from '../page/texts.ts'
import { inboxIdOf, type DraftEditor } from './editor.ts'

/** Which address to send from, until the draft is saved and belongs to one inbox. */
export function From({ editor }: { editor: DraftEditor }) {
  const choices = (session.value?.inboxes ?? []).flatMap((inbox) =>
    addressesOf(inbox).map((address) => ({ id: inbox.id, name: inbox.name, address })),
  )
  const begun = inboxIdOf(editor)
  const { from } = editor.fields.value
  const chosen = choices.findIndex(({ id, address }) => id === begun && address === (from ?? address))
  return (
    <label class="from">
      {texts.compose.from}{' '}
      <select
        onChange={(event) => {
          const { id, address } = choices[Number(event.currentTarget.value)]!
          editor.beginning = { kind: 'new', inboxId: id }
          editor.change({ from: address })
        }}
      >
        {choices.map(({ name, address }, index) => (
          <option key={address} value={index} selected={index === chosen}>
            {name} ({address})
          </option>
        ))}
      </select>
    </label>
  )
}
