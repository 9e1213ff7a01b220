/** What a list of the admin pages is limited to: nothing, a user, or one of their records. */
export interface Scope {
  user?: string | undefined
  id?: string | undefined
}
