/** Tables for agents that a person authorised by OAuth; a grant itself is a row of `tokens`. */
export interface GrantTables {
  /** Codes, access tokens and refresh tokens of grants. */
  grant_secrets: {
    hash: Uint8Array
    grant_id: string
    kind: 'code' | 'access' | 'refresh'
    expires_at: number
    /** Codes and refresh tokens may be used once; a second use ends the grant. */
    used_at: number | null
    /** For a code: the PKCE challenge, and the redirect URI it was sent to. */
    challenge: string | null
    redirect_uri: string | null
    /** For an access token: fewer than the grant has. Null: those of the grant. */
    scopes: string | null
  }
  oauth_clients: {
    id: string
    /** `registered` by itself, or `entered` by an admin. */
    kind: 'registered' | 'entered'
    name: string | null
    /** JSON array. */
    redirect_uris: string
    created_at: number
    /** When it last had a grant, or was registered. */
    unused_since: number
  }
}
