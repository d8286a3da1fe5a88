/**
 * Answers may gain new values within v1, and the document says so: every enum becomes an open string with the known
 * values as examples, and every union gets a member for types added later. Requests stay closed.
 */
type Json = Record<string, unknown>

export function openSchemas(schemas: Record<string, Json>): Record<string, Json> {
  const opened: Record<string, Json> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    if (isUnion(schema)) Object.assign(opened, openUnion(name, schema, schemas))
    else opened[name] = openWords(schema) as Json
  }
  for (const schema of Object.values(opened)) describeProperties(schema)
  return opened
}

interface Union extends Json {
  oneOf: { $ref: string }[]
}

function isUnion(schema: Json): schema is Union {
  return Array.isArray(schema['oneOf']) && schema['oneOf'].every((each: Json) => '$ref' in each)
}

/** The known members, discriminated by `type`, or one of another type, so that today's clients accept later ones. */
function openUnion(name: string, schema: Union, schemas: Record<string, Json>): Record<string, Json> {
  const { oneOf, ...rest } = schema
  const members = oneOf.map(({ $ref }) => ({ $ref, schema: schemas[$ref.split('/').at(-1)!]! }))
  const types = members.map(({ schema }) => (propertiesOf(schema)['type'] as { const: string }).const)
  const mapping = Object.fromEntries(members.map(({ $ref }, index) => [types[index]!, $ref]))
  const shared = Object.entries(propertiesOf(members[0]!.schema)).filter(
    ([field]) => field !== 'type' && members.every(({ schema }) => field in propertiesOf(schema)),
  )
  return {
    [name]: {
      ...rest,
      anyOf: [{ $ref: `#/components/schemas/Known${name}` }, { $ref: `#/components/schemas/Other${name}` }],
    },
    [`Known${name}`]: {
      description: 'One of the types of today.',
      oneOf: oneOf.map(({ $ref }) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping },
    },
    [`Other${name}`]: {
      type: 'object',
      description: 'One of a type that was added later; pass over it.',
      properties: {
        type: { type: 'string', description: 'None of the known types.', not: { enum: types } },
        ...(openWords(Object.fromEntries(shared)) as Json),
      },
      required: ['type', ...shared.map(([field]) => field)],
      additionalProperties: true,
    },
  }
}

function propertiesOf(schema: Json): Json {
  return (schema['properties'] ?? {}) as Json
}

function openWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openWords)
  if (typeof value !== 'object' || value === null) return value
  const { enum: words, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'examples' ? inner : openWords(inner)]),
  )
  if (!Array.isArray(words)) return words === undefined ? rest : { ...rest, enum: words }
  const first = (rest['examples'] as unknown[] | undefined)?.[0] ?? words[0]
  const known = `Today one of ${words.map((word) => `\`${String(word)}\``).join(', ')}; more may be added.`
  const description = typeof rest['description'] === 'string' ? `${rest['description']} ${known}` : known
  return { ...rest, description, examples: [first, ...words.filter((word) => word !== first)] }
}

/** Default descriptions of fields with self-explanatory names. */
const usual: Readonly<Record<string, string>> = {
  type: 'Says what it is.',
  id: 'Its id.',
  threadId: 'The id of the thread.',
  draftId: 'The id of the draft.',
  name: 'The name.',
  address: 'The e-mail address.',
  email: 'The e-mail address.',
  subject: 'The subject.',
  text: 'The text.',
  href: 'The address of the link.',
  to: 'To whom, or what it is now.',
  from: 'From whom, or what it was before.',
  cc: 'Who got a copy.',
  attachments: 'The files that came with it.',
  data: 'The items, in order.',
  assignedAt: 'When it was assigned.',
  spf: 'The verdict of SPF.',
  dkim: 'The verdict of DKIM.',
  dmarc: 'The verdict of DMARC.',
  eventId: 'The id of the event.',
  token: 'The token itself.',
  editRatio: 'How much of the text was changed, from 0 to 1; `null` if no agent wrote it.',
  recipientsChanged: 'Whether other people got it than were proposed.',
  timestamp: 'When it happened.',
}

function describeProperties(schema: unknown): void {
  if (Array.isArray(schema)) return schema.forEach(describeProperties)
  if (typeof schema !== 'object' || schema === null) return
  const properties = (schema as Json)['properties']
  if (typeof properties === 'object' && properties !== null)
    for (const [name, property] of Object.entries(properties as Record<string, Json>))
      if (!('description' in property) && !('$ref' in property) && name in usual)
        property['description'] = usual[name]!
  Object.entries(schema)
    .filter(([key]) => key !== 'examples')
    .forEach(([, inner]) => describeProperties(inner))
}
