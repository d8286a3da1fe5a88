import assert from 'node:assert/strict'

/** How the message of a failed check begins. The test run looks for it. */
export const broken = 'Must always hold: '

/**
 * node:assert for checks that nothing is lost, doubled, sent, seen outside its view or let through a guard. A test file
 * that fails is run once more, in case the machine was busy; one in which such a check has failed is not.
 */
export const mustHold: typeof assert = new Proxy(assert, {
  apply: (check, self, values) => hold(() => Reflect.apply(check, self, values) as unknown),
  get(target, name) {
    const check: unknown = Reflect.get(target, name)
    if (typeof check !== 'function') return check
    return (...values: unknown[]) => hold(() => Reflect.apply(check, target, values) as unknown)
  },
})

function hold(check: () => unknown): unknown {
  try {
    const result = check()
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}

function fail(error: unknown): never {
  throw new Error(`${broken}${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
