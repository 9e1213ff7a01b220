package tools

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"golang.org/x/mod/semver"
)

const (
	composeFile = "../deploy/compose.yaml"
	dockerFile  = "../deploy/Dockerfile"
)

// compose returns the compose file, checked against the Compose specification.
func compose(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{composeFile})
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Services) < 8 {
		t.Fatalf("read %d services", len(project.Services))
	}
	return project
}

// The compose file is valid, and what it names exists: files, stages of the Dockerfile, addresses.
// Only HAProxy can be reached from outside.
func TestComposeFileNamesWhatExists(t *testing.T) {
	project := compose(t)
	secretsDir, err := filepath.Abs("../deploy/secrets")
	if err != nil {
		t.Fatal(err)
	}
	made := read(t, "../deploy/make-secrets") + " shop.pem"
	for name, secret := range project.Secrets {
		file := filepath.Base(secret.File)
		if filepath.Dir(secret.File) != secretsDir || !strings.Contains(made, file) {
			t.Errorf("the secret %s is in %s, which deploy/make-secrets doesn't make", name, secret.File)
		}
	}
	stages := stages(t)
	for name, service := range project.Services {
		switch {
		case service.Build == nil:
			wantPinned(t, service.Image)
		case !slices.ContainsFunc(stages, func(s stage) bool { return s.name == service.Build.Target }):
			t.Errorf("%s is built to the stage %q, which deploy/Dockerfile doesn't have", name, service.Build.Target)
		}
		for _, mounted := range service.Volumes {
			if _, err := os.Stat(mounted.Source); mounted.Type == types.VolumeTypeBind && err != nil {
				t.Errorf("%s mounts what isn't in the repository: %v", name, err)
			}
		}
		for _, port := range service.Ports {
			if name != "haproxy" && port.HostIP != "127.0.0.1" {
				t.Errorf("the port %s of %s can be reached from outside", port.Published, name)
			}
		}
		if !slices.Contains(service.SecurityOpt, "no-new-privileges:true") && name != "postgres" { // its start needs root
			t.Errorf("%s may get new privileges", name)
		}
	}
	haproxy := project.Services["haproxy"]
	for variable, node := range map[string]string{"NODE_1": "first", "NODE_2": "second"} {
		if address := haproxy.Environment[variable]; address == nil || *address != ipv4(project, node)+":8080" {
			t.Errorf("HAProxy's %s isn't the address of the node %s, %s", variable, node, ipv4(project, node))
		}
	}
	for _, node := range []string{"first", "second"} {
		environment := project.Services[node].Environment
		if trusted := environment["KAIBAO_TRUSTED_PROXIES"]; trusted == nil || *trusted != ipv4(project, "haproxy")+"/32" {
			t.Errorf("the node %s doesn't trust HAProxy's address, %s", node, ipv4(project, "haproxy"))
		}
		if host := environment["KAIBAO_OPS_HOST"]; host == nil || *host != node {
			t.Errorf("the operator's listener of %s doesn't answer at the name %s, which Prometheus uses", node, node)
		}
	}
}

var hostAndPort = regexp.MustCompile(`\b([a-z][a-z0-9]*):\d+\b`)

// Prometheus and Grafana ask services of the compose file, and Grafana finds the dashboard.
func TestMonitoringNamesServices(t *testing.T) {
	project := compose(t)
	for file, count := range map[string]int{"prometheus/prometheus.yml": 3, "grafana/provisioning/datasources/prometheus.yml": 1} {
		named := hostAndPort.FindAllStringSubmatch(read(t, "../deploy/"+file), -1)
		if len(named) != count {
			t.Errorf("deploy/%s names %v", file, named)
		}
		for _, host := range named {
			if _, ok := project.Services[host[1]]; !ok {
				t.Errorf("deploy/%s asks %s, which is no service", file, host[0])
			}
		}
	}
	_, path, _ := strings.Cut(read(t, "../deploy/grafana/provisioning/dashboards/kaibao.yml"), " path: ")
	if !slices.ContainsFunc(project.Services["grafana"].Volumes, func(v types.ServiceVolumeConfig) bool {
		return filepath.Dir(v.Target) == strings.TrimSpace(path) && filepath.Ext(v.Target) == ".json"
	}) {
		t.Errorf("no dashboard is mounted in %s", path)
	}
}

func ipv4(project *types.Project, service string) string {
	return project.Services[service].Networks["default"].Ipv4Address
}

// pinned matches an image with at least a minor version. Distroless images have no versions but the
// Debian release in their name.
var pinned = regexp.MustCompile(`^[a-z./-]+:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$|^gcr\.io/distroless/[a-z]+-debian\d+:nonroot$`)

func wantPinned(t *testing.T, image string) {
	t.Helper()
	if !pinned.MatchString(image) {
		t.Errorf("the image %q has no version", image)
	}
}

// stage is a stage of the Dockerfile.
type stage struct{ base, name, text string }

var from = regexp.MustCompile(`(?m)^FROM (\S+) AS (\S+)\n`)

func stages(t *testing.T) (found []stage) {
	t.Helper()
	text := read(t, dockerFile)
	starts := from.FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		found = append(found, stage{text[at[2]:at[3]], text[at[4]:at[5]], text[at[1]:end]})
	}
	if len(found) != 4 {
		t.Fatalf("deploy/Dockerfile has the stages %v", found)
	}
	return found
}

var (
	copied    = regexp.MustCompile(`(?m)^COPY ([^-\n].*) \S+$`)
	goVersion = regexp.MustCompile(`(?m)^go (\S+)$`)
	engine    = regexp.MustCompile(`"node": ">=(\S+)"`)
	imageTag  = regexp.MustCompile(`:(\d+\.\d+\.\d+)-`)
)

// The Dockerfile builds as the Makefile does, with sufficient versions, from files that exist. Its
// default result runs without root and without a shell.
func TestDockerfile(t *testing.T) {
	found := stages(t)
	for _, s := range found {
		wantPinned(t, s.base)
		for _, files := range copied.FindAllStringSubmatch(s.text, -1) {
			for file := range strings.FieldsSeq(files[1]) {
				if _, err := os.Stat(filepath.Join("..", file)); err != nil {
					t.Errorf("the stage %s copies %v", s.name, err)
				}
			}
		}
	}
	for base, least := range map[string]string{
		found[0].base: engine.FindStringSubmatch(read(t, "../web/package.json"))[1],
		found[1].base: goVersion.FindStringSubmatch(read(t, "../go.mod"))[1],
	} {
		version := imageTag.FindStringSubmatch(base)
		if len(version) != 2 || semver.Compare("v"+version[1], "v"+least) < 0 {
			t.Errorf("%s is older than %s", base, least)
		}
	}
	if !strings.Contains(found[1].text, "\nRUN make build ") {
		t.Error("the Dockerfile doesn't build with make build")
	}
	if compose := compose(t); compose.Services["postgres"].Image != found[2].base {
		t.Errorf("pg_dump is from %s, PostgreSQL from %s", found[2].base, compose.Services["postgres"].Image)
	}
	last := found[len(found)-1]
	if !strings.Contains(last.base, "distroless/static") || !strings.Contains(last.text, "\nUSER 65532:65532\n") || strings.Contains(last.text, "RUN ") {
		t.Errorf("the last stage isn't distroless and without root: %s %s", last.base, last.text)
	}
}

// maxImageBytes is the maximum size of the image, and baseImageBytes more than that of its base, which is
// around 2 MiB (the README of github.com/GoogleContainerTools/distroless).
const (
	maxImageBytes  = 60_000_000
	baseImageBytes = 2_500_000
)

// The image stays below 60 MB. make test builds the program before it runs this test.
func TestImageIsSmall(t *testing.T) {
	built, err := os.Stat("../bin/kaibao")
	if err != nil {
		t.Log("there is no bin/kaibao: make build")
		return
	}
	if size := built.Size() + baseImageBytes; size > maxImageBytes {
		t.Errorf("the image has %d bytes, more than %d", size, maxImageBytes)
	}
}
