import { useParams } from '@tanstack/react-router'
import { ProfilePage as Content } from '@/features/profiles/profile-page'

export function ProfilePage() {
  const { handle } = useParams({ from: '/u/$handle' })
  return <Content key={handle} handle={handle} />
}
