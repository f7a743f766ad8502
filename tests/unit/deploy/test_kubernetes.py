"""The Kubernetes manifests: what the API takes, and what we promise of them."""

from typing import Any
from urllib.parse import SplitResult, urlsplit

import kubernetes_validate
import pytest
import yaml
from cloudcoil.models.keda import v1alpha1 as keda

from tests.deployed import DEPLOY, read_yaml
from topics.names import CALL_PARTITIONS, REVIEW
from workers.lag import readers
from workers.settings import Settings, load
from workers.slow.app import stop_limit_s as slow_stop_s
from workers.stream.stopping import StopLimits

#: The oldest version that the manifests are held against, and a new one.
VERSIONS = ("1.30", "1.34")
FOLDER = DEPLOY / "kubernetes"
#: Our workers.
WORKERS = ("turngate-hot", "turngate-slow")
#: Kinds that another project defines.
FOREIGN = ("keda.sh/",)


def documents() -> list[dict[str, Any]]:
    kustomization = read_yaml(FOLDER / "kustomization.yaml")
    return [
        document
        for name in kustomization["resources"]
        for document in yaml.safe_load_all((FOLDER / name).read_text("utf-8"))
    ]


def one(kind: str, name: str = "turngate-hot") -> dict[str, Any]:
    (found,) = [
        document
        for document in documents()
        if document["kind"] == kind and document["metadata"]["name"] == name
    ]
    return found


def pods() -> list[dict[str, Any]]:
    return [
        document["spec"]["template"]["spec"]
        for document in documents()
        if document["kind"] in ("Deployment", "Job")
    ]


def containers() -> list[dict[str, Any]]:
    return [
        container
        for pod in pods()
        for container in (*pod.get("initContainers", ()), *pod["containers"])
    ]


def test_every_file_is_applied() -> None:
    """A manifest that the kustomization does not name is never applied."""
    named = set(read_yaml(FOLDER / "kustomization.yaml")["resources"])

    assert named == {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "document", documents(), ids=lambda one: f"{one['kind']} {one['metadata']['name']}"
)
def test_the_api_would_take_it(document, version) -> None:
    """Each keeps to the published schema, without unknown fields."""
    if document["apiVersion"].startswith(FOREIGN):
        kind = getattr(keda, document["kind"])
        read = kind.model_validate(document).model_dump(
            mode="json", by_alias=True, exclude_none=True
        )
        assert read == document
    else:
        kubernetes_validate.validate(document, version, strict=True)


def test_a_mistyped_field_is_found() -> None:
    """The schemas can refuse."""
    wrong = one("PodDisruptionBudget")
    wrong["spec"]["maxUnavailabel"] = wrong["spec"].pop("maxUnavailable")

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


@pytest.mark.parametrize("container", containers(), ids=lambda one: one["name"])
def test_a_container_is_confined_and_bounded(container) -> None:
    """No root, no writes, no capabilities; memory and CPU have limits."""
    context = container["securityContext"]

    assert context["allowPrivilegeEscalation"] is False
    assert context["readOnlyRootFilesystem"] is True
    assert context["capabilities"] == {"drop": ["ALL"]}
    assert container["resources"]["limits"].keys() == {"cpu", "memory"}


def test_pods_are_not_root_and_have_no_token() -> None:
    """A worker has no business with the cluster."""
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] >= 10_000
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False


def test_cores_are_whole() -> None:
    """A worker that is throttled in the middle of a turn is late with it."""
    (hot,) = one("Deployment")["spec"]["template"]["spec"]["containers"]

    assert hot["resources"]["requests"]["cpu"] == hot["resources"]["limits"]["cpu"] == "2"


@pytest.mark.parametrize("name", WORKERS)
def test_probes_ask_what_they_mean(name) -> None:
    """Readiness is that it does its work; being alive is that the process answers."""
    (worker,) = one("Deployment", name)["spec"]["template"]["spec"]["containers"]
    paths = {
        probe: worker[probe]["httpGet"]["path"]
        for probe in ("startupProbe", "livenessProbe", "readinessProbe")
    }

    assert paths == {
        "startupProbe": "/healthz",
        "livenessProbe": "/healthz",
        "readinessProbe": "/readyz",
    }


@pytest.mark.parametrize(
    ("name", "longest_s"),
    [
        ("turngate-hot", StopLimits(drain_s=Settings().drain_s).whole_s),
        ("turngate-slow", slow_stop_s(Settings().drain_s)),
    ],
    ids=WORKERS,
)
def test_a_worker_may_drain(name, longest_s) -> None:
    """The grace is longer than a worker's own limit for a stop."""
    pod = one("Deployment", name)["spec"]["template"]["spec"]

    assert pod["terminationGracePeriodSeconds"] > longest_s


def test_settings_are_settings(tmp_path) -> None:
    """Each variable is one that is read, and what is secret comes from files."""
    data = one("ConfigMap", "turngate")["data"] | one("ConfigMap")["data"]
    for name in ("kafka-password", "redis-password", "cache-secret"):
        (tmp_path / name).write_text("s3cret\n", "utf-8")
    placed = {
        name: value.replace("/run/secrets/turngate", str(tmp_path)) for name, value in data.items()
    }

    settings = load(placed)

    assert settings.kafka_security == "SASL_SSL"
    assert settings.redis.reveal().startswith("rediss://")
    secrets = (settings.kafka_password, settings.redis_password, settings.cache_secret)
    assert [secret.reveal() for secret in secrets] == ["s3cret"] * 3
    assert not [name for name in data if name.endswith(("PASSWORD", "SECRET"))]


@pytest.mark.parametrize(
    ("name", "group", "topics", "least"),
    [
        (
            "turngate-hot",
            Settings().group,
            {"turn.predictions", "turn.utterances", "kb.questions"},
            2,
        ),
        # People's decisions are too few to be a load.
        ("turngate-slow", Settings().slow_group, {"kb.review"}, 1),
    ],
    ids=WORKERS,
)
def test_scaling_follows_the_lag_of_our_group(name, group, topics, least) -> None:
    """Group and topics are the worker's own, and no worker is without a partition."""
    spec = one("ScaledObject", name)["spec"]
    (reader,) = [one for one in readers(load({})) if one.group == group]
    metadata = [trigger["metadata"] for trigger in spec["triggers"]]

    assert spec["scaleTargetRef"]["name"] == one("Deployment", name)["metadata"]["name"]
    assert spec["maxReplicaCount"] == CALL_PARTITIONS == REVIEW.partitions
    assert spec["minReplicaCount"] == least
    assert {each["consumerGroup"] for each in metadata} == {group}
    assert {each["topic"] for each in metadata} == topics <= set(reader.topics)
    assert {each["bootstrapServers"] for each in metadata} == {
        one("ConfigMap", "turngate")["data"]["TURNGATE_KAFKA"]
    }


def ways(policy: dict[str, Any], way: str) -> set[tuple[str, int]]:
    """List the namespaces and ports that a policy opens; any namespace, or any port, is a fault."""
    peer = {"ingress": "from", "egress": "to"}[way]
    assert all(rule.get(peer) and rule.get("ports") for rule in policy["spec"][way])
    return {
        (place["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"], port["port"])
        for rule in policy["spec"][way]
        for place in rule[peer]
        for port in rule["ports"]
    }


def test_the_network_lets_only_monitoring_in() -> None:
    """
    One port in, names and Kafka out, for hot workers alone Redis: where they are, and no further.
    """
    every, hot = one("NetworkPolicy", "turngate"), one("NetworkPolicy")
    data = one("ConfigMap", "turngate")["data"] | one("ConfigMap")["data"]
    kafka, redis = urlsplit(f"//{data['TURNGATE_KAFKA']}"), urlsplit(data["TURNGATE_REDIS"])

    assert set(every["spec"]["policyTypes"]) == {"Ingress", "Egress"}
    assert hot["spec"]["policyTypes"] == ["Egress"]
    assert ways(every, "ingress") == {("monitoring", int(data["TURNGATE_MONITOR_PORT"]))}
    assert ways(every, "egress") == {("kube-system", 53), (namespace(kafka), kafka.port)}
    assert ways(hot, "egress") == {(namespace(redis), redis.port)}
    labels = "app.kubernetes.io/name", "app.kubernetes.io/component"
    assert every["spec"]["podSelector"] == {"matchLabels": {labels[0]: "turngate"}}
    assert hot["spec"]["podSelector"]["matchLabels"][labels[1]] == "hot"


def namespace(address: SplitResult) -> str:
    """Read the namespace out of the name of a service, `service.namespace.svc`."""
    _, found, svc = (address.hostname or "").split(".")
    assert svc == "svc"
    return found


def test_only_hot_workers_have_the_cache_s_password() -> None:
    """Whoever needs Kafka alone is given no more."""
    for document in documents():
        if document["kind"] not in ("Deployment", "Job"):
            continue
        pod = document["spec"]["template"]["spec"]
        (secret,) = [one["secret"] for one in pod["volumes"] if "secret" in one]
        if document["metadata"]["name"] != "turngate-hot":
            keys = {item["key"] for item in secret["items"]} - {"board-token"}
            assert keys == {"kafka-password", "ca.pem"}
            settings = [one["configMapRef"]["name"] for one in pod["containers"][0]["envFrom"]]
            assert settings == ["turngate"]
            # What is secret comes as files of the volume above, and in no other way.
            assert "secretKeyRef" not in repr(pod)
            assert "secretRef" not in repr(pod)


def test_the_board_is_reached_by_the_ingress_alone(tmp_path) -> None:
    """It listens where service, probes and policy look, and its token comes from a file."""
    (board,) = one("Deployment", "turngate-board")["spec"]["template"]["spec"]["containers"]
    (tmp_path / "board-token").write_text("sixteen letters!\n", "utf-8")
    given = {
        each["name"]: each["value"].replace("/run/secrets/turngate", str(tmp_path))
        for each in board["env"]
    }
    policy = one("NetworkPolicy", "turngate-board")["spec"]

    assert load(given).board_token.reveal() == "sixteen letters!"
    assert ways({"spec": policy}, "ingress") == {("ingress", load(given).board_port)}
    assert board["ports"][0]["containerPort"] == load(given).board_port
    assert one("Deployment", "turngate-board")["spec"]["replicas"] == 1


@pytest.mark.parametrize("name", WORKERS)
def test_selectors_find_the_pods(name) -> None:
    """Budget, service and policy speak of the deployment's own pods."""
    labels = one("Deployment", name)["spec"]["template"]["metadata"]["labels"]
    selectors = [
        one("Deployment", name)["spec"]["selector"]["matchLabels"],
        one("PodDisruptionBudget", name)["spec"]["selector"]["matchLabels"],
        one("Service", name)["spec"]["selector"],
        one("NetworkPolicy", "turngate")["spec"]["podSelector"]["matchLabels"],
    ]

    assert all(selector.items() <= labels.items() for selector in selectors)


def test_volumes_that_are_mounted_are_there() -> None:
    """No container waits for a volume that nobody made."""
    for pod in pods():
        volumes = {volume["name"] for volume in pod["volumes"]}
        for container in (*pod.get("initContainers", ()), *pod["containers"]):
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
