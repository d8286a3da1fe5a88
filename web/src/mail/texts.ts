export const texts = {
  about: (name: string) => `About ${name}`,
  preview: {
    open: (name: string) => `Preview ${name}`,
    frame: (name: string) => `Pages of ${name}`,
    loading: 'Loading…',
    failed: "This file can't be previewed. Download it instead.",
    download: 'Download',
  },
}
