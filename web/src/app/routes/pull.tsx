import { useParams } from '@tanstack/react-router'
import { PullPage as Content } from '@/features/pulls/pull-page'

export function PullPage() {
  const { openId } = useParams({ from: '/pull/$openId' })
  return <Content key={openId} openId={openId} />
}
