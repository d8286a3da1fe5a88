import { defineConfig } from 'vite'

/** Where the server looks for the page, and the folder below which it serves the parts. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    // A data: font or picture would need more from the page's policy.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // One file for the first view compresses better than the seven that it would be.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy: { '/app': 'http://127.0.0.1:4100' } },
})
