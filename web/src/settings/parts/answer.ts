import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { getUnless, sentenceOf, urlOf } from '../../page/api.ts'
import type { AnswerOf, GetArguments, Known, RouteAt } from '../../page/contract.ts'

export interface Answer<Value> {
  /** Null until loaded. */
  value: Value | null
  problem: string | null
  reload: () => Promise<void>
  put: (value: Value) => void
}

/** Loads a path, and reloads it at the interval `every` returns while the component is mounted. */
export function useAnswer<const Path extends string>(
  path: Path & Known<'GET', Path>,
  every: (value: AnswerOf<RouteAt<'GET', Path>>) => number | null = () => null,
  ...options: GetArguments<RouteAt<'GET', Path>>
): Answer<AnswerOf<RouteAt<'GET', Path>>> {
  const value = useSignal<AnswerOf<RouteAt<'GET', Path>> | null>(null)
  const problem = useSignal<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<AbortController>(undefined)
  const mounted = useRef(false)
  const load = async (): Promise<void> => {
    plan(null)
    asking.current?.abort()
    const { signal } = (asking.current = new AbortController())
    let wait: number | null = 5000
    try {
      const answer = await getUnless<Path>(signal, path, ...options)
      if (signal.aborted) return
      value.value = answer
      problem.value = null
      wait = every(answer)
    } catch (error) {
      if (signal.aborted) return
      problem.value = sentenceOf(error)
      if (value.value === null) wait = null
    }
    plan(wait)
  }
  const plan = (wait: number | null): void => {
    clearTimeout(timer.current)
    if (wait !== null && mounted.current) timer.current = setTimeout(() => void load(), wait)
  }
  useEffect(() => {
    value.value = null
    mounted.current = true
    void load()
    return () => {
      mounted.current = false
      plan(null)
      asking.current?.abort()
    }
  }, [urlOf<Path>(path, ...options)])
  return {
    value: value.value,
    problem: problem.value,
    reload: load,
    put(now) {
      // A request in progress may have read what was there before.
      asking.current?.abort()
      value.value = now
      plan(every(now))
    },
  }
}
