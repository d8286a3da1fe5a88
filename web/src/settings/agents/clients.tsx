import { useSignal } from '@preact/signals'
import { ask } from '../../page/api.ts'
import { bind, Field, Form } from '../../controls/form.tsx'
import { useAnswer } from '../parts/answer.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Loaded } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.clients

/** For hosts that require a client id: admins register them here. */
export function ClientsCard() {
  const clients = useAnswer('/clients')
  const name = useSignal('')
  const addresses = useSignal('')
  const enter = async (): Promise<void> => {
    const redirectUris = addresses.value.split(/[\s,]+/).filter(Boolean)
    await ask('POST', '/clients', { name: name.value, redirectUris })
    name.value = addresses.value = ''
    await clients.reload()
  }
  return (
    <Card title={t.title} hint={t.hint}>
      <Loaded answer={clients}>
        {({ data }) => (
          <ul class="lines">
            {data.map(({ id, name, redirectUris }) => (
              <li key={id}>
                <span>
                  <b>{name}</b>
                  <small>{redirectUris.join(', ')}</small>
                  <Copyable label={t.id(name ?? '')} text={id} />
                </span>
                <Confirm
                  of={name}
                  title={texts.removeTitle(name ?? '')}
                  text={t.removeText}
                  onAct={() => ask('DELETE', `/clients/${id}`).then(clients.reload)}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Form submit={t.enter} onSubmit={enter}>
        <Field label={t.name} {...bind(name)} />
        <Field label={t.addresses} {...bind(addresses)} hint={t.addressesHint} />
      </Form>
    </Card>
  )
}
