import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describeApi } from '../../src/http/openapi.ts'

interface Operation {
  parameters: { name: string; in: string; schema: Record<string, unknown> }[]
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

export interface ApiDocument {
  paths: Record<string, { get: Operation }>
  components: { schemas: Record<string, object>; headers: Record<string, object> }
}

export const document = describeApi('0.0.0') as unknown as ApiDocument

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
ajv.addFormat('binary', true)
ajv.addSchema(closed(document), 'api')

/** The document allows additional fields, but the tests do not: a field it does not name was never decided on. */
export function closed(value: unknown): object {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value as unknown as object
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]))
  if ('properties' in copy && (copy['type'] as unknown) === 'object' && !('additionalProperties' in copy)) {
    return { ...copy, additionalProperties: false }
  }
  return copy
}

/** The pattern of request paths for a path template such as `/threads/{id}`. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

const patterns = Object.keys(document.paths).map((path) => ({ path, pattern: patternOf(path) }))

function pathOf(url: string): string | undefined {
  const asked = new URL(url, 'http://localhost').pathname.replace(/^\/api\/v1/, '')
  return patterns.find(({ pattern }) => pattern.test(asked))?.path
}

/** Checks that a response under /api/v1 matches the document, or the common error shape. */
export function checkAnswer(
  url: string,
  method: string,
  status: number,
  contentType: string | null,
  body: string,
): void {
  const path = pathOf(url)
  const known = path === undefined ? null : document.paths[path]!.get.responses
  if (method === 'HEAD' || status === 304) return assert.equal(body, '', `${method} ${url} has a body`)
  if (status >= 400) {
    assert.match(contentType ?? '', /^application\/json/, `${url} answers an error that is not JSON`)
    const error: unknown = JSON.parse(body)
    checkSchema('#/components/schemas/Error', error, url)
    assert.equal((error as { statusCode: number }).statusCode, status)
    // 405 and parser errors belong to no operation.
    if (known && !['405', '431', '408', '400', '417'].includes(String(status))) {
      assert.ok(known[status], `the document does not know ${status} for ${path}`)
    }
    return
  }
  assert.ok(known?.[status], `the document does not know ${status} for ${url}`)
  const schema = known[status]!.content?.['application/json']?.schema as { $ref: string } | undefined
  if (schema && contentType?.startsWith('application/json')) checkSchema(schema.$ref, JSON.parse(body), url)
  if (!contentType?.startsWith('application/x-ndjson')) return
  for (const line of body.split('\n').filter((line) => line !== ''))
    checkSchema('#/components/schemas/ExportRow', JSON.parse(line), url)
}

export function checkSchema(reference: string, value: unknown, url: string): void {
  const validate = ajv.getSchema(`api${reference}`)
  assert.ok(validate, `no schema ${reference}`)
  judgeBy(validate, value, url)
}

export type Judge = (value: unknown, what: string) => void

/** For a standalone JSON schema. */
export function makeJudge(schema: object): Judge {
  const validate = ajv.compile(schema)
  return (value, what) => judgeBy(validate, value, what)
}

function judgeBy(validate: ValidateFunction, value: unknown, what: string): void {
  assert.ok(
    validate(value),
    `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value).slice(0, 500)}`,
  )
}
