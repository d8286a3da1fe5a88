/** Image types that browsers show and that cannot contain scripts, with their magic bytes. */
const rasters: Readonly<Record<string, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^47494638(37|39)61/,
  'image/webp': /^52494646.{8}57454250/,
  // A box structure: `ftyp` with the brand `avif`, or `avis` for several frames.
  'image/avif': /^.{8}66747970617669(66|73)/,
}

export interface Raster {
  type: string
  bytes: Uint8Array
}

/** Detected from the bytes, not from the type the sender claims; null if it is none of these. */
export function rasterType(beginning: Uint8Array): string | null {
  const hex = Buffer.from(beginning.subarray(0, 16)).toString('hex')
  return Object.keys(rasters).find((type) => rasters[type]!.test(hex)) ?? null
}
