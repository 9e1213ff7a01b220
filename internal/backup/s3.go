package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3 is a bucket, or what begins with a prefix in it. The server needs the permissions to put, get and
// list objects; the bucket's lifecycle rule deletes old ones.
type S3 struct {
	client         *minio.Client
	bucket, prefix string
}

// S3Settings are how to reach a bucket.
type S3Settings struct {
	Endpoint  string // an http or https URL
	Region    string // "" = ask the bucket, which needs another permission
	AccessKey string
	SecretKey string
}

// OpenS3 returns the target of an address such as s3://bucket/prefix. It doesn't connect.
func OpenS3(address string, s S3Settings) (*S3, error) {
	at, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(address, "s3://") || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Fragment != "" {
		return nil, errors.New("the address of a bucket must have the form s3://BUCKET or s3://BUCKET/PREFIX, without keys")
	}
	endpoint, err := url.Parse(s.Endpoint)
	if err != nil || endpoint.Host == "" || endpoint.User != nil || endpoint.Scheme != "https" && endpoint.Scheme != "http" || strings.Trim(endpoint.Path, "/") != "" {
		return nil, errors.New("--s3-endpoint (KAIBAO_S3_ENDPOINT) must have the form https://HOST, without keys")
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(s.AccessKey, s.SecretKey, ""), Secure: endpoint.Scheme == "https", Region: s.Region, MaxRetries: maxAttempts,
	})
	if err != nil {
		return nil, err
	}
	return &S3{client, at.Host, strings.Trim(at.Path, "/")}, nil
}

// maxAttempts is the maximum number of attempts of a request. Operators shouldn't wait longer for the
// reason, and the server retries later anyway.
const maxAttempts = 3

// IsLocal implements Target.
func (*S3) IsLocal() bool { return false }

// String implements Target.
func (s *S3) String() string { return strings.TrimSuffix("s3://"+s.bucket+"/"+s.prefix, "/") }

func (s *S3) key(name string) string { return path.Join(s.prefix, name) }

// Put implements Target. A bucket shows an object only when it is complete.
func (s *S3) Put(ctx context.Context, name string, content io.Reader, size int64) error {
	if _, err := s.client.StatObject(ctx, s.bucket, s.key(name), minio.StatObjectOptions{}); err == nil {
		return fmt.Errorf("%s: %w", name, fs.ErrExist)
	}
	_, err := s.client.PutObject(ctx, s.bucket, s.key(name), content, size, putOptions("application/octet-stream"))
	return err
}

// putOptions asks for checksums, which buckets with an object lock require.
func putOptions(contentType string) minio.PutObjectOptions {
	return minio.PutObjectOptions{ContentType: contentType, SendContentMd5: true}
}

// Replace implements Target.
func (s *S3) Replace(ctx context.Context, name, text string) error {
	_, err := s.client.PutObject(ctx, s.bucket, s.key(name), strings.NewReader(text), int64(len(text)), putOptions("text/plain"))
	return err
}

// Get implements Target.
func (s *S3) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	object, err := s.client.GetObject(ctx, s.bucket, s.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := object.Stat(); err != nil {
		if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
			err = fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		return nil, errors.Join(err, object.Close())
	}
	return object, nil
}

// List implements Target.
func (s *S3) List(ctx context.Context) (files []File, err error) {
	prefix := s.prefix
	if prefix != "" {
		prefix += "/"
	}
	for object := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix}) {
		if object.Err != nil {
			return nil, object.Err
		}
		if name := strings.TrimPrefix(object.Key, prefix); !strings.Contains(name, "/") {
			files = append(files, File{name, object.Size})
		}
	}
	return files, nil
}

// Check implements Target.
func (s *S3) Check(ctx context.Context) error {
	for object := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, MaxKeys: 1}) {
		if object.Err != nil {
			return fmt.Errorf("list the objects in %s: %w", s, object.Err)
		}
		break
	}
	return nil
}

// Expire implements Target.
func (*S3) Expire(context.Context, []string) error { return nil }
