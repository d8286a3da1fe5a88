import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Copy, home } from './mutants/copy.ts'
import { editText, type Mutant } from './mutants/mutant.ts'
import { findEdits } from './mutants/random-edits.ts'
import { table } from './mutants/table.ts'
import { tryMutant } from './mutants/trial.ts'

/** Of all areas, and quick; `npm run mutants` tries all. */
const sample = [
  'an IPv6 network counts as one address',
  'a token expires at its millisecond',
  'spam stays spam',
  'only the holder of the lease prepares and says the dot',
  'the signature covers id, time and body',
  'no javascript: link',
]

/** In seconds; a busy machine takes its time. */
const limit = 240

let copy: Copy | undefined
const openCopy = (): Copy => (copy ??= new Copy())

test('every edit of the table has one place in its file, and tests that must notice it', () => {
  assert.ok(table.length >= 80)
  assert.equal(new Set(table.map(({ rule }) => rule)).size, table.length, 'no rule stands there twice')
  assert.deepEqual(table.flatMap(findProblem), [])
})

function findProblem(mutant: Mutant): string[] {
  try {
    editText(home, mutant)
    for (const file of mutant.tests) {
      const text = readFileSync(join(home, file), 'utf8')
      if (mutant.only && !text.includes(mutant.only) && !text.includes(mutant.only.replaceAll("'", "\\'")))
        throw new Error(`${file} has no test called ${mutant.only}`)
    }
    return []
  } catch (error) {
    return [`${mutant.rule}: ${(error as Error).message}`]
  }
}

for (const rule of sample)
  test(`the tests notice when it is broken: ${rule}`, async () => {
    const mutant = table.find((each) => each.rule === rule)!
    const verdict = await tryMutant(openCopy(), mutant, { limit })
    assert.equal(verdict.result, 'killed', JSON.stringify(verdict))
  })

const address: Mutant = {
  rule: 'none',
  file: 'src/model/client-limit.ts',
  find: '.slice(0, groups)',
  put: '.slice(0, groups + 0)',
  tests: ['test/mail/smtp-listener.test.ts'],
}

test('an edit that breaks nothing survives, and one that cannot be loaded is no proof', async () => {
  const verdict = async (change: Partial<Mutant>): Promise<string> =>
    (await tryMutant(openCopy(), { ...address, ...change }, { limit })).result
  assert.equal(await verdict({}), 'survived')
  assert.equal(await verdict({ put: '.slice((0, 4)' }), 'bad', 'no program')
  assert.equal(await verdict({ put: '.slice(0, four)' }), 'bad', 'a name that is not there')
  assert.equal(
    await verdict({ find: "from 'node:net'", put: "from '../nowhere.ts'" }),
    'bad',
    'a file that is not there',
  )
  assert.equal(await verdict({ only: 'no such test' }), 'bad', 'nothing is run')
  assert.equal(await verdict({ find: 'address' }), 'bad', 'more than one place')
})

test('random edits are found in what runs, and nowhere else', () => {
  const text = [
    `import { one } from './1.ts'`,
    `type Two = 2 | true`,
    `/** if (three) */`,
    `export async function four(five: 5, six = true): Promise<void> {`,
    `  if (five === 5 && six) await one(five as 5)`,
    `  log('7 || 8', six ? 9 : ten)`,
    `}`,
  ].join('\n')
  const found = findEdits('x.ts', text).map(({ line, was, put }) => `${line} ${was} → ${put}`)
  assert.deepEqual(
    found.sort(),
    [
      '4 true → false',
      '5 && → ||',
      '5 5 → 6',
      '5 === → !==',
      '5 await one(five as 5) → void 0',
      '5 five === 5 && six → !(five === 5 && six)',
      "6 log('7 || 8', six ? 9 : ten) → void 0",
      '6 9 → 10',
      '6 six → !(six)',
    ].sort(),
  )
})
