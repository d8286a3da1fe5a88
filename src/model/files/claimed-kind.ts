/** What a file is, according to the sender: the type counts first, then the name. */
export function claimedKind(contentType: string, filename: string): 'image' | 'text' | 'pdf' | null {
  const type = contentType.toLowerCase().split(';')[0]!.trim()
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) return 'image'
  if (type === 'application/pdf' || /\.pdf$/i.test(filename)) return 'pdf'
  if (/^text\/|^application\/(json|xml|csv|ics|yaml|x-yaml|x-sh|sql)$|\+(json|xml)$/.test(type)) return 'text'
  return /\.(txt|md|csv|tsv|log|json|xml|ya?ml|ini|diff|patch|ics|vcf)$/i.test(filename) ? 'text' : null
}
