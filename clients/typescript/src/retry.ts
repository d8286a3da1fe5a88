export type Fetch = (request: Request) => Promise<Response>

/** Worth a retry: rate limited, or the server or a proxy in front of it is briefly unavailable. */
const passing = new Set([429, 502, 503, 504])

/** Retries temporary failures: after the time in `Retry-After`, or with growing pauses. Every request is a GET. */
export function retrying(fetch: Fetch, retries: number): Fetch {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      let wait = Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)
      try {
        const response = await fetch(request)
        if (attempt >= retries || !passing.has(response.status)) return response
        wait = readRetryAfter(response) ?? wait
        await response.body?.cancel()
      } catch (error) {
        if (attempt >= retries || request.signal.aborted) throw error
      }
      await pause(wait, request.signal)
    }
  }
}

/** In milliseconds. */
function readRetryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(wait) ? null : Math.max(0, wait)
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    if (signal?.aborted) return reject(signal.reason as Error)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
