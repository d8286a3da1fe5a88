import assert from 'node:assert/strict'
import { z } from 'zod'
import { Failure } from '../../src/http/contract/failure.ts'
import type { RouteContract } from '../../src/http/contract/route.ts'
import { appContract } from '../../src/http/contract/table.ts'
import { liveEvents } from '../../src/model/live.ts'
import { appBase } from '../../src/http/routes/app/table.ts'
import { closed, makeJudge, patternOf, type Judge } from './openapi.ts'

interface Told {
  status: number
  contentType: string | null
  text: string
}

/** Exact paths come first: `/threads/bulk` before `/threads/{id}`. */
const contracts = (Object.values(appContract) as readonly RouteContract[])
  .map((contract) => ({ contract, pattern: patternOf(contract.path) }))
  .toSorted((a, b) => Number(a.contract.path.includes('{')) - Number(b.contract.path.includes('{')))
const judges = new Map<z.ZodType, Judge>()

/** Fails for fields that the contract does not name as well as for missing ones. */
function judge(schema: z.ZodType, value: unknown, what: string): void {
  let judge = judges.get(schema)
  if (!judge) judges.set(schema, (judge = makeJudge(closed(z.toJSONSchema(schema)))))
  judge(value, what)
}

/** Checks that a response of a private route matches its contract, or the common error shape. */
export function checkPrivateAnswer(method: string, url: string, { status, contentType, text }: Told): void {
  const what = `${method} ${url}`
  if (status >= 400) return judge(Failure, JSON.parse(text), what)
  const contract = findContract(method, url)
  assert.ok(contract, `${what} is answered with ${status}, but it is in no contract`)
  const { answer } = contract
  if (!(answer instanceof z.ZodType)) return
  assert.equal(contentType, 'application/json; charset=utf-8', what)
  judge(answer, JSON.parse(text), what)
}

function findContract(method: string, url: string): RouteContract | undefined {
  const path = new URL(url, 'http://localhost').pathname.slice(appBase.length)
  return contracts.find(({ contract, pattern }) => contract.method === method && pattern.test(path))?.contract
}

export function checkLiveEvent(name: string, data: unknown): void {
  assert.ok(name in liveEvents, `the live stream tells of ${name}, which is in no contract`)
  judge(liveEvents[name as keyof typeof liveEvents], data, `the live event ${name}`)
}
