export const texts = {
  about: (name: string) => `About ${name}`,
  preview: {
    open: (name: string) => `Preview ${name}`,
    frame: (name: string) => `Pages of ${name}`,
    loading: 'Loading…',
    failed: 'This file cannot be shown here. Download it instead.',
    cut: 'This is the beginning of a long file. Download it to read all of it.',
    download: 'Download',
  },
}
