/** How the message of a failed check begins. The test run looks for it. */
export const broken = 'Must always hold: '

/**
 * For checks that nothing is lost, doubled, sent, seen outside its view or let through a guard. A test file that fails
 * is run once more, in case the machine was busy; one in which such a check has failed is not.
 */
export function mustHold<Result>(check: () => Result): Result {
  try {
    const result = check()
    return result instanceof Promise ? (result.catch(fail) as Result) : result
  } catch (error) {
    return fail(error)
  }
}

function fail(error: unknown): never {
  throw new Error(`${broken}${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
