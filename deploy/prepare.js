// npm runs this at the end of `npm ci` in a checkout, so that the first start finds the page built and Kysely in one
// file. Plain JavaScript, and it never fails the installation: a Node that cannot read TypeScript leaves the page to the
// first start.
const page = await import('../src/cli/page.ts').catch(() => null)
await page?.tryPreparePage()
const kysely = await import('./bundle.ts').catch(() => null)
await kysely?.bundleKysely().catch((error) => {
  console.error(`Kysely could not be bundled, so commands start more slowly: ${error.message}`)
})
