// npm runs this at the end of `npm ci` in a checkout, so that the first start finds the page built. Plain JavaScript,
// and it never fails the installation: a Node that cannot read TypeScript leaves the page to the first start.
const page = await import('../src/cli/page.ts').catch(() => null)
await page?.tryPreparePage()
