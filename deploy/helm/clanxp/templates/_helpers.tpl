{{/* What several templates share: names, metadata, pods, and the Deployment. */}}

{{/*
The name of an object: the release's, and `name` after it. Services have at most 63 characters and no dots, CronJobs 52 characters. What
does not obey that gets a hash of the release's name.
*/}}
{{- define "clanxp.named" -}}
{{- $release := .root.Release.Name -}}
{{- $base := contains "clanxp" $release | ternary $release (printf "%s-clanxp" $release) -}}
{{- $end := .name | empty | ternary "" (printf "-%s" .name) -}}
{{- $room := sub (eq .name "backup" | ternary 52 63) (len $end) | int -}}
{{- if or (gt (len $base) $room) (contains "." $base) -}}
{{- $base = printf "%s-%s" ($base | replace "." "-" | trunc (sub $room 9 | int)) ($base | sha256sum | trunc 8) -}}
{{- end -}}
{{ $base }}{{ $end }}
{{- end }}

{{- define "clanxp.selector" -}}
app.kubernetes.io/name: clanxp
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{/* Those of the chart are what selectors find, so operators cannot replace them. */}}
{{- define "clanxp.labels" -}}
{{- $own := include "clanxp.selector" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" (.root.Chart.AppVersion | replace "+" "_" | trunc 63) -}}
{{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63) -}}
{{- $values := index .root.Values .role | default dict -}}
{{- $added := merge (dict) (.labels | default dict) ($values.labels | default dict) .root.Values.labels -}}
{{- range $name := keys $added -}}
{{- if hasKey $own $name }}{{ fail (printf "labels: the chart itself sets %s" $name) }}{{ end -}}
{{- end -}}
{{- merge $own $added | toYaml }}
{{- end }}

{{/* `name`: after the release's, or empty. `labels`, `annotations`: more than those of the role and of all objects. */}}
{{- define "clanxp.metadata" -}}
{{- $values := index .root.Values .role | default dict -}}
name: {{ include "clanxp.named" . }}
labels: {{- include "clanxp.labels" . | nindent 2 }}
{{- with merge (dict) (.annotations | default dict) ($values.annotations | default dict) .root.Values.annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What operators add to the pods of a role: maps are merged, and the role's own win; lists are appended. */}}
{{- define "clanxp.extras" -}}
{{- $all := .root.Values -}}
{{- $own := index $all .role -}}
{{- $extras := dict -}}
{{- range $name := list "podAnnotations" "probes" -}}
{{- $_ := set $extras $name (merge (dict) (index $own $name | default dict) (index $all $name)) -}}
{{- end -}}
{{- range $name := list "extraEnv" "envFrom" "extraVolumes" "extraVolumeMounts" -}}
{{- $_ := set $extras $name (concat (index $all $name) (index $own $name | default list)) -}}
{{- end -}}
{{- range $extras.extraEnv -}}
{{- if has .name (list "PORT" "DASHBOARD_PORT" "OPS_PORT") }}{{ fail (printf "extraEnv: the chart itself sets %s, the port of a container" .name) }}{{ end -}}
{{- end -}}
{{- range $extras.extraVolumes -}}
{{- if has .name (list "tmp" "ca") }}{{ fail (printf "extraVolumes: the chart itself has a volume %s" .name) }}{{ end -}}
{{- end -}}
{{- range $extras.extraVolumeMounts -}}
{{- if has .mountPath (list "/tmp" "/etc/clanxp") }}{{ fail (printf "extraVolumeMounts: the chart itself mounts %s" .mountPath) }}{{ end -}}
{{- end -}}
{{- toYaml $extras }}
{{- end }}

{{/* A pod without its containers: metadata, and the beginning of its spec. */}}
{{- define "clanxp.pod" -}}
{{- $values := index .root.Values .role -}}
metadata:
  labels: {{- include "clanxp.labels" . | nindent 4 }}
  {{- with (include "clanxp.extras" . | fromYaml).podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "clanxp.named" (dict "root" .root "name" "") }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.priorityClassName | default .root.Values.priorityClassName }}
  priorityClassName: {{ . | quote }}
  {{- end }}
  securityContext: {{- include "clanxp.context" (dict "root" .root "role" .role "name" "podSecurityContext") | nindent 4 }}
  {{- range $name := list "nodeSelector" "tolerations" "affinity" }}
  {{- with index $values $name }}
  {{ $name }}: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end }}

{{/* A security context: the role's fields win, and null leaves a field out. */}}
{{- define "clanxp.context" -}}
{{- $context := dict -}}
{{- range $values := list .root.Values (index .root.Values .role) -}}
{{- range $field, $value := index $values $.name -}}
{{- if kindIs "invalid" $value }}{{ $_ := unset $context $field }}{{ else }}{{ $_ := set $context $field $value }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toYaml $context }}
{{- end }}

{{/* The address of a role with an Ingress: `url`, or else the one that its Ingress serves. */}}
{{- define "clanxp.url" -}}
{{- if and .url .host (ne (urlParse .url).hostname .host) }}
{{- fail (printf "dashboard.url: its host is not dashboard.ingress.host (%s), and the dashboard rejects requests for any other name" .host) }}
{{- end }}
{{- if or .url .host }}{{ .url | default (printf "https://%s" .host) }}{{ end }}
{{- end }}

{{/* The roles that run, separated by spaces. */}}
{{- define "clanxp.roles" -}}
api worker notifier{{ if .Values.dashboard.enabled }} dashboard{{ end }}
{{- end }}

{{/* What the chart sets for a role. */}}
{{- define "clanxp.ownEnv" -}}
{{- $values := index .root.Values .role -}}
- { name: HOST, value: "::" }
{{- if eq .role "api" }}
- { name: PORT, value: "8080" }
- { name: API_URL, value: {{ .root.Values.dashboard.apiUrl | default (include "clanxp.url" .root.Values.api.ingress) | quote }} }
# The secrets of erasure hooks are encrypted by it.
- name: HOOK_KEY
  valueFrom:
    secretKeyRef: { name: {{ .root.Values.existingSecret | quote }}, key: HOOK_KEY, optional: true }
{{- end }}
{{- if eq .role "dashboard" }}
- { name: DASHBOARD_PORT, value: "8081" }
- { name: DASHBOARD_URL, value: {{ include "clanxp.url" (dict "url" $values.url "host" $values.ingress.host) | quote }} }
- { name: DASHBOARD_PROXIES, value: {{ $values.proxies | int | quote }} }
- { name: PUBLIC_PAGES, value: {{ $values.publicPages | ternary "on" "off" | quote }} }
- { name: API_URL, value: {{ $values.apiUrl | default (include "clanxp.url" .root.Values.api.ingress) | quote }} }
{{- with $values.oidc }}
{{- if .issuer }}
- { name: DASHBOARD_OIDC_ISSUER, value: {{ .issuer | quote }} }
- { name: DASHBOARD_OIDC_CLIENT_ID, value: {{ required "dashboard.oidc.clientId: the client ID that the provider issued" .clientId | quote }} }
- { name: DASHBOARD_OIDC_NAME, value: {{ .name | quote }} }
- { name: DASHBOARD_OIDC_SCOPES, value: {{ .scopes | quote }} }
- name: DASHBOARD_OIDC_CLIENT_SECRET
  valueFrom:
    secretKeyRef: { name: {{ $.root.Values.existingSecret | quote }}, key: DASHBOARD_OIDC_CLIENT_SECRET }
{{- end }}
{{- end }}
{{- end }}
- { name: OPS_PORT, value: "9090" }
{{- if eq .role "notifier" }}
- { name: NODE_OPTIONS, value: --max-old-space-size=256 --max-semi-space-size=1 }
{{- with .root.Values.dashboard }}
{{- if .enabled }}
# Results of periods link to the public page.
- { name: DASHBOARD_URL, value: {{ include "clanxp.url" (dict "url" .url "host" .ingress.host) | quote }} }
- { name: PUBLIC_PAGES, value: {{ .publicPages | ternary "on" "off" | quote }} }
{{- end }}
{{- end }}
- { name: DELIVERY_RETENTION_DAYS, value: {{ .root.Values.deliveryRetentionDays | toJson | quote }} }
{{- else }}
# With this heap a process stays below 600 MiB in all, which the memory limit must exceed.
- { name: NODE_OPTIONS, value: --max-old-space-size=256 }
{{- end }}
# All but the API: the command line runs in the worker's container.
{{- if ne .role "api" }}
- name: SECRETS_KEY
  valueFrom:
    secretKeyRef: { name: {{ .root.Values.existingSecret | quote }}, key: SECRETS_KEY, optional: true }
{{- with .root.Values.webhookAllowPrivate }}
- { name: WEBHOOK_ALLOW_PRIVATE, value: {{ . | quote }} }
{{- end }}
{{- end }}
- { name: LOG_LEVEL, value: {{ .root.Values.logLevel }} }
{{- if eq .role "worker" }}
- { name: BATCH_RETENTION_DAYS, value: {{ .root.Values.batchRetentionDays | quote }} }
- { name: REVERSAL_RETENTION_DAYS, value: {{ .root.Values.reversalRetentionDays | quote }} }
- { name: EVENT_RETENTION_DAYS, value: {{ .root.Values.eventRetentionDays | toJson | quote }} }
- { name: BOARD_RETENTION_DAYS, value: {{ .root.Values.boardRetentionDays | quote }} }
{{- end }}
{{- range $name, $key := dict "MONGO_URL" $values.mongoUrlKey "REDIS_URL" "REDIS_URL" }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ required "existingSecret: name a Secret with MONGO_URL and REDIS_URL" $.root.Values.existingSecret | quote }}, key: {{ $key | quote }} }
{{- end }}
{{- if .root.Values.caConfigMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/clanxp/ca.crt }
{{- end }}
{{- end }}

{{/* Each variable once: operators replace what the chart sets, and the role's own win. */}}
{{- define "clanxp.env" -}}
{{- $all := concat (include "clanxp.ownEnv" . | fromYamlArray) ((include "clanxp.extras" . | fromYaml).extraEnv | default list) -}}
{{- $env := list -}}
{{- range $place, $one := $all -}}
{{- $again := false -}}
{{- range slice $all (add1 $place) -}}
{{- if eq .name $one.name }}{{ $again = true }}{{ end -}}
{{- end -}}
{{- if not $again }}{{ $env = append $env $one }}{{ end -}}
{{- end -}}
{{- toYaml $env }}
{{- end }}

{{/* A role's Deployment: they differ in command, ports and who scales them. */}}
{{- define "clanxp.deployment" -}}
{{- $values := index .root.Values .role -}}
{{- $extras := include "clanxp.extras" . | fromYaml -}}
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "clanxp.metadata" (dict "root" .root "role" .role "name" .role) | nindent 2 }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $values) }}
  replicas: {{ int $values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "clanxp.selector" . | nindent 6 }}
  template:
    {{- include "clanxp.pod" . | nindent 4 }}
      terminationGracePeriodSeconds: {{ int .root.Values.terminationGracePeriodSeconds }}
      containers:
        - name: {{ .role }}
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ with .root.Values.image.digest }}@{{ . }}{{ end }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: [node, {{ if eq .role "notifier" }}--optimize-for-size, --liftoff-only, {{ end }}apps/{{ .role }}/main.ts]
          env: {{- include "clanxp.env" . | nindent 12 }}
          {{- with $extras.envFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            {{- if eq .role "dashboard" }}
            - { name: http, containerPort: 8081 }
            {{- end }}
            - { name: ops, containerPort: 9090 }
          # A process that waits for an unavailable MongoDB is alive.
          {{- range $name, $path := dict "liveness" "/livez" "readiness" "/readyz" "startup" "/livez" }}
          {{ $name }}Probe:
            httpGet: { path: {{ $path }}, port: ops }
            {{- index $extras.probes $name | toYaml | nindent 12 }}
          {{- end }}
          {{- if or (eq .role "api") (eq .role "dashboard") }}
          # Requests keep arriving until every node knows that the pod is terminating.
          lifecycle:
            preStop: { exec: { command: [sleep, "5"] } }
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "clanxp.context" (dict "root" .root "role" .role "name" "securityContext") | nindent 12 }}
          # Node keeps its compiled code there, which halves the start; nothing needs it.
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if .root.Values.caConfigMap }}
            - { name: ca, mountPath: /etc/clanxp, readOnly: true }
            {{- end }}
            {{- with $extras.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 64Mi }
        {{- if .root.Values.caConfigMap }}
        - name: ca
          configMap: { name: {{ .root.Values.caConfigMap | quote }} }
        {{- end }}
        {{- with $extras.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "clanxp.selector" . | nindent 14 }}
{{- end }}
