/** Never run: each line below would be a fault of the page, and `tsc -p web` fails where one of them compiles. */
import { ask, get, urlOf } from '../src/page/api.ts'

export async function mistakes(id: string): Promise<void> {
  // @ts-expect-error There is no such route.
  await get(`/draft/${id}`)
  // @ts-expect-error It is there, but not by this method.
  await ask('PUT', `/drafts/${id}/send`, {})
  // @ts-expect-error What a browser fetches by itself is a route as well.
  urlOf(`/attachment/${id}`)

  const draft = await get(`/drafts/${id}`)
  // @ts-expect-error The answer has no such field.
  void draft.txt
  // @ts-expect-error The answer to another route is another.
  void draft.nextCursor

  // @ts-expect-error It asks for a word.
  await get('/addresses')
  // @ts-expect-error There is no such parameter.
  await get('/threads', { query: { vew: 'mine' } })
  // @ts-expect-error The parameter has no such value.
  await get('/threads', { query: { view: 'mien' } })

  // @ts-expect-error It needs a body.
  await ask('POST', '/presence')
  // @ts-expect-error The body has no such value.
  await ask('POST', '/presence', { threadId: id, doing: 'sleeping' })
  // @ts-expect-error The body has no such field.
  await ask('POST', '/presence', { threadId: id, since: 1 })
  // @ts-expect-error Either route may be meant, and one of them needs more.
  await ask('POST', `/threads/${id}/${id === '' ? 'read' : 'assign'}`, {})
}
