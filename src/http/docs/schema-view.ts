import {
  nameOf,
  objectAnchor,
  objectNames,
  resolve,
  withoutNull,
  type ApiDocument,
  type Parameter,
  type Schema,
} from './document.ts'
import { html, inline, type Markup } from './html.ts'

export function viewParameters(document: ApiDocument, parameters: Parameter[], anchor: string): Markup {
  const items = parameters.map(
    ({ name, required, description, schema }) =>
      html`<li id="${anchor}-${name}">
        ${viewHead(document, name, schema, required ? 'required' : null)}
        <p>${inline(description)}</p>
        ${viewFacts(schema)}
      </li>`,
  )
  return html`<ul class="fields">
    ${items}
  </ul>`
}

/** The fields of an object, or the members of a union, each expandable. */
export function viewFields(document: ApiDocument, given: Schema): Markup {
  const schema = resolve(document, given)
  if (schema.oneOf) return viewKinds(document, schema.oneOf)
  const items = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = !schema.required?.includes(name)
    const full = resolve(document, withoutNull(field).schema)
    const description = field.description ?? full.description
    return html`<li>
      ${viewHead(document, name, field, optional ? 'may be missing' : null)}
      ${description ? html`<p>${inline(description)}</p>` : null} ${viewFacts(full)}
      ${viewInside(document, field)}
    </li>`
  })
  return html`<ul class="fields">
    ${items}
  </ul>`
}

function viewKinds(document: ApiDocument, kinds: Schema[]): Markup {
  const items = kinds.map((kind) => {
    const { description = '', properties = {} } = resolve(document, kind)
    const word = String(properties['type']?.const ?? nameOf(kind))
    return html`<li>
      <details>
        <summary><code class="name">${word}</code> <span>${inline(description)}</span></summary>
        ${viewFields(document, kind)}
      </details>
    </li>`
  })
  return html`<ul class="fields kinds">
    ${items}
  </ul>`
}

function viewHead(document: ApiDocument, name: string, schema: Schema, mark: string | null): Markup {
  return html`<div class="head">
    <code class="name">${name}</code>
    <span class="type">${viewType(document, schema)}</span>
    ${mark ? html`<span class="mark">${mark}</span>` : null}
  </div>`
}

/** In plain English: `array of Attachment`, `time or null`. */
function viewType(document: ApiDocument, given: Schema): Markup {
  const { schema, nullable } = withoutNull(given)
  return html`${viewPlainType(document, schema)}${nullable ? ' or null' : null}`
}

/** Null if the object has no section of its own on the page. */
export function linkObject(document: ApiDocument, schema: Schema): Markup | null {
  const name = nameOf(schema)
  if (name === null || !objectNames(document).includes(name)) return null
  return html`<a href="#${objectAnchor(name)}">${name}</a>`
}

function viewPlainType(document: ApiDocument, schema: Schema): Markup {
  const link = linkObject(document, schema)
  if (link) return link
  const { type, items, format, additionalProperties } = resolve(document, schema)
  if (items) return html`array of ${viewType(document, items)}`
  if (format === 'date-time') return html`time`
  if (additionalProperties) return html`map`
  return html`${String(type ?? 'anything')}`
}

function viewFacts({
  enum: values,
  const: only,
  default: preset,
  minimum,
  maximum,
  maxLength,
}: Schema): Markup | null {
  const one = values ?? (only === undefined ? [] : [only])
  const facts = [
    one.length > 0
      ? html`${one.length > 1 ? 'One of' : 'Always'}
        ${one.map((value) => html`<code>${String(value)}</code> `)}`
      : null,
    maximum === undefined || maximum > 1e9 ? null : html`From ${minimum ?? 0} to ${maximum}`,
    maxLength === undefined ? null : html`At most ${maxLength} characters`,
    preset === undefined ? null : html`Default <code>${String(preset)}</code>`,
  ].filter((fact) => fact !== null)
  if (facts.length === 0) return null
  return html`<p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>`
}

function viewInside(document: ApiDocument, field: Schema): Markup | null {
  const inside = findInside(document, field)
  if (!inside) return null
  const name = nameOf(inside)
  const kinds = resolve(document, inside).oneOf !== undefined
  return html`<details>
    <summary>${kinds ? 'Kinds' : 'Fields'}${name ? html` of ${name}` : null}</summary>
    ${viewFields(document, inside)}
  </details>`
}

/** The object type of a field: its own, that of its list items or of its map values. */
function findInside(document: ApiDocument, field: Schema): Schema | null {
  const { schema } = withoutNull(field)
  const full = resolve(document, schema)
  if (full.properties ?? full.oneOf) return schema
  const each = full.items ?? full.additionalProperties
  return each ? findInside(document, each) : null
}
