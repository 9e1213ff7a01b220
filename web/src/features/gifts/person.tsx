import type { LinkedGift } from '@/contract/types'
import { Avatar } from '@/components/ui/avatar'
import { giftsTexts } from './texts'

type Person = LinkedGift['from']

/** Returns a function that returns a giver's name, or a word for givers without one. */
export function usePersonName(): (person: Person | undefined) => string {
  const { anonymous } = giftsTexts.useT().gifts
  return (person) => person?.firstName || anonymous
}

export function PersonPicture({ person, className }: { person: Person | undefined; className?: string }) {
  const name = usePersonName()(person)
  return (
    <Avatar
      name={name}
      {...(person?.profileImageUrl && { imageUrl: person.profileImageUrl })}
      {...(className && { className })}
    />
  )
}
